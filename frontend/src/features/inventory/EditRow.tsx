import { LotForm } from "./LotForm";
import type { InventoryItem } from "./model";
import { useSaveRow } from "./mutations";

/** Everything of one row of stock in a form. */
export function EditRow(props: {
  item: InventoryItem;
  first?: "price" | undefined;
  onClose: () => void;
}) {
  const { item, first, onClose } = props;
  const saveRow = useSaveRow();
  return (
    <LotForm
      title={item.part_name || item.item_number}
      lot={item}
      first={first}
      onSave={(changes) => saveRow(item, changes)}
      onClose={onClose}
    />
  );
}
