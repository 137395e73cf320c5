import { useQueryClient } from "@tanstack/react-query";
import { LotForm } from "@/features/inventory/public";
import type { BatchItem } from "./model";
import { useEditItem } from "./mutations";
import { batchItemQueries } from "./queries";

/** Everything of one item in a form. */
export function EditItem({ item, onClose }: { item: BatchItem; onClose: () => void }) {
  const edit = useEditItem();
  const client = useQueryClient();
  return (
    <LotForm
      title={item.item_name || item.item_number}
      lot={{ ...item, quantity: item.qty }}
      onSave={async ({ quantity, ...rest }) => {
        const changes = { ...rest, ...(quantity !== undefined && { qty: quantity }) };
        await edit.mutateAsync({ item, changes });
        void client.invalidateQueries({ queryKey: batchItemQueries.all() });
      }}
      onClose={onClose}
    />
  );
}
