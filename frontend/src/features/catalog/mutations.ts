import { type MutationMeta, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { BodyOf } from "@/shared/api/wire";
import { problemText } from "@/shared/lib/problem";
import { invalidate } from "@/shared/lib/tags";
import { clientStore } from "@/shared/store/clientStore";

export type NewBatchItem = BodyOf<"post", "batchItems">;

/** Adds an item to a batch and keeps it as the last one added. */
export function useAddToBatch(meta?: MutationMeta) {
  const client = useQueryClient();
  return useMutation({
    meta,
    mutationFn: async (item: NewBatchItem) => one(await api.post("batchItems", { body: item })),
    onSuccess: ({ last_added: { colorName, ...last } }) => {
      clientStore.set("lastBatchItemAdded", { ...last, color: colorName });
      refresh(client);
    },
  });
}

/** Adds an item with its bin planned, and stows it there at once; `undo` takes both back. */
export function useStowNow() {
  const client = useQueryClient();
  const add = useAddToBatch();
  return useMutation({
    mutationFn: async (item: NewBatchItem & { user_inventory_item_location_id: number }) => {
      const { id } = await add.mutateAsync(item);
      const path = { id: item.batch_id };
      try {
        const { act_id } = one(
          await api.post("batches/{id}/stow", { path, body: { items: [id] } }),
        );
        const undo = async () => {
          if (act_id) await api.post("batches/{id}/undo", { path, body: { act_id } });
          await api.delete("batchItems/{id}", { path: { id } });
          refreshStock(client);
        };
        return { undo };
      } catch (error) {
        throw new NotStowed(error);
      }
    },
    onSettled: () => refreshStock(client),
  });
}

/** It is in the batch, but not in its bin. */
export class NotStowed extends Error {
  constructor(cause: unknown) {
    super(`Added, but not stowed: ${problemText(cause)}`);
  }
}

/** Takes back what was just added. */
export function useTakeBack() {
  const client = useQueryClient();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: (id: number) => api.delete("batchItems/{id}", { path: { id } }),
    onSuccess: () => refresh(client),
  });
}

function refreshStock(client: ReturnType<typeof useQueryClient>): void {
  void invalidate(client, "batches", "batchItems", "inventory", "locations");
}

function refresh(client: ReturnType<typeof useQueryClient>): void {
  void invalidate(client, "batches", "batchItems");
}
