import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router-dom";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { ApiError } from "@/shared/api/errors";
import { idParam } from "@/shared/lib/idParam";
import { invalidate } from "@/shared/lib/tags";
import { clientStore } from "@/shared/store/clientStore";
import type { BatchHead } from "../model";
import { batchPickQueries } from "./queries";

export type BatchChoice = {
  /** Null while it loads, and if there is no batch to add to. */
  batch: BatchHead | null;
  loading: boolean;
  /** Why pieces cannot be added to the batch in the address. */
  refusal: string | null;
  /** Why the batches are unknown. In that case no new one is offered. */
  error: unknown;
  tryAgain: () => void;
  choose: (id: number) => void;
};

/**
 * The batch to add to: the one in the address (`?batch=12`). Without it, the address gets the last
 * used batch, or the newest open one.
 */
export function useBatchChoice(): BatchChoice {
  const [params, setParams] = useSearchParams();
  const id = idParam(params, "batch");
  const head = useQuery({ ...batchPickQueries.head(id ?? 0), enabled: id !== null });
  const open = useQuery({ ...batchPickQueries.pick(""), enabled: id === null });

  const choose = (next: number) =>
    setParams(
      (current) => {
        const changed = new URLSearchParams(current);
        changed.set("batch", String(next));
        return changed;
      },
      { replace: true },
    );
  const proposed = id === null ? proposedBatch(open.data) : null;
  const propose = useEffectEvent(choose);
  useEffect(() => {
    if (proposed !== null) propose(proposed);
  }, [proposed]);

  const asked = id === null ? open : head;
  const isGone = head.error instanceof ApiError && head.error.status === 404;
  const error = asked.data === undefined && !(id !== null && isGone) ? asked.error : null;
  const archived = head.data?.is_archived === true;
  return {
    batch: id !== null && !archived ? (head.data ?? null) : null,
    loading: id === null ? open.isPending || proposed !== null : head.isPending,
    refusal: archived
      ? `“${head.data?.name}” is archived: nothing can be added.`
      : isGone
        ? "There is no such batch any more."
        : null,
    error,
    tryAgain: () => void asked.refetch(),
    choose,
  };
}

/** The last used batch if it is open, otherwise the newest open one; null if there is none. */
export function proposedBatch(batches: readonly BatchHead[] | undefined): number | null {
  if (!batches) return null;
  const last = clientStore.get("lastBatchItemAdded")?.batchId;
  const again = batches.find((batch) => batch.id === last);
  return (again ?? batches[0])?.id ?? null;
}

/** Creates an empty batch from a name; the other fields can be set on the batches page. */
export function useCreateBatch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => one(await api.post("batches", { body: { name } })),
    onSuccess: () => invalidate(client, "batches"),
  });
}
