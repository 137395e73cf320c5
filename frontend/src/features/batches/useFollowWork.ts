import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { invalidate } from "@/shared/lib/tags";
import type { ListAnswer } from "@/shared/table/column";
import { type Batch, PROGRESS_FLAGS } from "./model";
import { batchItemQueries, batchQueries } from "./queries";

/** Between two looks at what is being worked on, in milliseconds. */
const LOOK_MS = 3000;

const isWorkedOn = (batch: Batch) => PROGRESS_FLAGS.some((flag) => batch[flag]);

/** While a job works on a batch, started by this tab or another, its rows are refetched. */
export function useFollowWork(batch: Batch): void {
  const { id } = batch;
  const busy = isWorkedOn(batch);
  const client = useQueryClient();
  useEffect(() => {
    if (!busy) return;
    const look = () => {
      void invalidate(
        client,
        batchQueries.detail(id).queryKey,
        batchItemQueries.lists(id),
        batchItemQueries.sums(id),
      );
    };
    const timer = setInterval(look, LOOK_MS);
    return () => {
      clearInterval(timer);
      look(); // what the end left behind
    };
  }, [id, busy, client]);
}

/** The same for the list: it is read again as long as something works on a batch in it. */
export function useFollowList(): void {
  const client = useQueryClient();
  useEffect(() => {
    const look = () => {
      const queryKey = batchQueries.lists();
      const shown = client.getQueriesData<ListAnswer<Batch>>({ queryKey, type: "active" });
      if (shown.some(([, answer]) => answer?.data.some(isWorkedOn))) {
        void invalidate(client, queryKey);
      }
    };
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [client]);
}
