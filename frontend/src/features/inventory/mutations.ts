import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { InventoryItem } from "./model";
import { inventoryQueries } from "./queries";

/** After stock moved: what lies where, and how full that is. */
export function useRefreshStock() {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [inventoryQueries.all(), ["locations"]]) {
      void client.invalidateQueries({ queryKey });
    }
  };
}

/** Saves one row's changed fields; a quantity becomes a line of the ledger. */
export function useEditInventoryItem() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (edit: { item: InventoryItem; changes: Partial<InventoryItem> }) =>
      one(
        await api.patch<InventoryItem>(`inventoryItems/${edit.item.id}`, {
          ...edit.changes,
          updatedAt: edit.item.updatedAt,
        }),
      ),
    // The table shows the answer itself; its history and the fill of its bin follow.
    onSuccess: (saved) => {
      void client.invalidateQueries(inventoryQueries.movements(saved.id));
      void client.invalidateQueries({ queryKey: ["locations"] });
    },
  });
}

export type MoveRequest = {
  id: number;
  to: number | null;
  quantity: number;
  override_reason?: string;
};

/** Carries pieces of one row to another location, or to none. */
export function useMoveItem() {
  const refresh = useRefreshStock();
  return useMutation({
    mutationFn: ({ id, ...body }: MoveRequest) => api.post(`inventoryItems/${id}/move`, body),
    onSuccess: refresh,
  });
}

/** Removes a row that holds nothing; its history stays in the ledger. */
export function useDeleteItem() {
  const refresh = useRefreshStock();
  return useMutation({
    mutationFn: (id: number) => api.delete(`inventoryItems/${id}`),
    onSuccess: refresh,
  });
}
