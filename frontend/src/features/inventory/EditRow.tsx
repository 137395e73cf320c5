import { LotForm } from "./dialogParts";
import type { InventoryItem } from "./model";
import { useEditInventoryItem, useRefreshStock } from "./mutations";

/** Everything of one row of stock in a form. */
export function EditRow(props: {
  item: InventoryItem;
  first?: "price" | undefined;
  onClose: () => void;
}) {
  const { item, first, onClose } = props;
  const edit = useEditInventoryItem();
  const refresh = useRefreshStock();
  const name = item.part_name || item.item_number;
  return (
    <LotForm
      title={name}
      lot={item}
      first={first}
      onSave={async (changes) => {
        const { saveForm } = await import("@/shared/table/editing/saveForm");
        await saveForm<InventoryItem>({
          table: "inventory",
          row: item,
          changes,
          name,
          save: async (row, some) => {
            const saved = await edit.mutateAsync({ item: row, changes: some });
            refresh();
            return saved;
          },
        });
      }}
      onClose={onClose}
    />
  );
}
