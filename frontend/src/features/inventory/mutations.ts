import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RowEdit, sentOfEdit } from "@/shared/api/bulk";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { invalidate, STOCK } from "@/shared/lib/tags";
import { savesRow } from "@/shared/outbox/unsent";
import { tellFailure } from "@/shared/ui/tellFailure";
import type { InventoryItem } from "./model";
import { inventoryQueries } from "./queries";

export function useRefreshStock() {
  const client = useQueryClient();
  return () => void invalidate(client, ...STOCK);
}

/** No column of the table edits the lot. */
const columnsOf = ({ lot_id: _lot, ...changes }: Partial<InventoryItem>) => changes;

/** What the table sends of a row; the ledger records a change of quantity. It shows the answer; its history and the fill of its bin follow. */
export const saveRowOf = (row: InventoryItem, changes: Partial<InventoryItem>) =>
  savesRow("inventoryItems/{id}", [inventoryQueries.movements(row.id).queryKey, "locations"])(
    row,
    columnsOf(changes),
  );

/** Saves one row's changed fields. */
export function useEditInventoryItem() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (edit: RowEdit<InventoryItem>) =>
      one(
        await api.patch(
          "inventoryItems/{id}",
          sentOfEdit({ ...edit, changes: columnsOf(edit.changes) }),
        ),
      ),
    onSuccess: (saved) => {
      void invalidate(client, inventoryQueries.movements(saved.id).queryKey, "locations");
    },
  });
}

/** Saves a row from a form or the palette: its toast and Ctrl+Z undo it. Rejects refusals. */
export function useSaveRow() {
  const { mutateAsync } = useEditInventoryItem();
  const refresh = useRefreshStock();
  return async (row: InventoryItem, changes: Partial<InventoryItem>) => {
    const { saveForm } = await import("@/shared/table/editing/saveForm");
    await saveForm<InventoryItem>({
      table: "inventory",
      row,
      changes,
      name: row.part_name || row.item_number,
      save: async (one, some) => {
        const saved = await mutateAsync({ row: one, changes: some });
        refresh();
        return saved;
      },
    });
  };
}

/** Sets the price of a row that is known by its id alone. */
export function useSetPrice() {
  const client = useQueryClient();
  const saveRow = useSaveRow();
  return async (id: number, price: string) => {
    try {
      const row = await client.fetchQuery({ ...inventoryQueries.detail(id), staleTime: 0 });
      await saveRow(row, { price });
    } catch (error) {
      tellFailure(error);
    }
  };
}

/**
 * Removes a row that holds nothing; its history stays in the ledger. Through the table's editor,
 * so that its history can bring the row back.
 */
export function useRemoveRow() {
  const refresh = useRefreshStock();
  return async (item: InventoryItem) => {
    try {
      const { rowEditor } = await import("@/shared/table/editing/rowEditor");
      const editor = await rowEditor<InventoryItem>("inventory");
      await editor.deleteRows([item]);
      refresh();
    } catch (error) {
      tellFailure(error);
    }
  };
}
