import { LotForm } from "@/features/inventory/public";
import { type BatchItem, historyKeyOf } from "./model";
import { useEditItem } from "./mutations";

/** Everything of one item in a form. */
export function EditItem({ item, onClose }: { item: BatchItem; onClose: () => void }) {
  const edit = useEditItem();
  return (
    <LotForm
      title={item.item_name || item.item_number}
      lot={{ ...item, quantity: item.qty }}
      onSave={async ({ quantity, ...rest }) => {
        const changes = { ...rest, ...(quantity !== undefined && { qty: quantity }) };
        const { saveForm } = await import("@/shared/table/editing/saveForm");
        await saveForm<BatchItem>({
          table: historyKeyOf({ id: item.batch_id }),
          row: item,
          changes,
          name: item.item_name || item.item_number,
          save: (row, some) => edit.mutateAsync({ row, changes: some }),
        });
      }}
      onClose={onClose}
    />
  );
}
