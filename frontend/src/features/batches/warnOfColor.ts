import { api } from "@/shared/api/client";
import { toast } from "@/shared/ui/toast";
import type { BatchItem } from "./model";

/** Says it where an item has just been given a colour that the catalogue does not know it in. */
export async function warnOfColor(item: BatchItem): Promise<void> {
  if (item.item_id === null || item.color_id === null) return;
  const query = { item: [item.item_id], page_size: 500 };
  const { data } = await api.get("catalogLots", { query });
  const known = data.filter(({ is_known }) => is_known);
  // An item without any known colour gives no warning.
  if (known.length === 0 || known.some(({ color_id }) => color_id === item.color_id)) return;
  toast.info(`${item.item_number} in ${item.color_name} is not in the catalogue`, {
    detail: "Kept as you chose it. Check its number and colour.",
  });
}
