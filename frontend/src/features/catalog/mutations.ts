import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { ItemType } from "@/shared/lib/itemTypes";
import { problemText } from "@/shared/lib/problem";
import { clientStore } from "@/shared/store/clientStore";

export type NewBatchItem = {
  batch_id: number;
  lot_id?: number;
  item_type?: ItemType;
  item_number?: string;
  item_name?: string;
  color_id?: number;
  qty: number;
  condition: "N" | "U";
  price?: string;
  /** The bin that is planned for it. */
  user_inventory_item_location_id?: number;
};

/** A batch item that was just made, with what the client keeps of the last one. */
export type AddedItem = {
  id: number;
  last_added: {
    batchId: number;
    batchName: string;
    totalItemsAdded: number;
    quantity: number;
    itemName: string;
    itemNumber: string;
    itemType: ItemType;
    colorName: string;
    timestamp: string;
  };
};

/** Adds an item to a batch and keeps it as the last one added; `Row` is what its caller shows of it. */
export function useAddToBatch<Row extends object = object>() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (item: NewBatchItem) =>
      one(await api.post<AddedItem & Row>("batchItems", item)),
    onSuccess: ({ last_added: { colorName, ...last } }) => {
      clientStore.set("lastBatchItemAdded", { ...last, color: colorName });
      refresh(client);
    },
  });
}

/** Adds an item with its bin planned, and stows it there at once. */
export function useStowNow() {
  const client = useQueryClient();
  const add = useAddToBatch();
  return useMutation({
    mutationFn: async (item: NewBatchItem & { user_inventory_item_location_id: number }) => {
      const { id } = await add.mutateAsync(item);
      try {
        await api.post(`batches/${item.batch_id}/stow`, { items: [id] });
      } catch (error) {
        throw new NotStowed(error);
      }
      return id;
    },
    onSettled: () => {
      refresh(client);
      for (const queryKey of [["inventory"], ["locations"]]) {
        void client.invalidateQueries({ queryKey });
      }
    },
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
    mutationFn: (id: number) => api.delete(`batchItems/${id}`),
    onSuccess: () => refresh(client),
  });
}

function refresh(client: ReturnType<typeof useQueryClient>): void {
  for (const queryKey of [["batches"], ["batchItems"]]) void client.invalidateQueries({ queryKey });
}
