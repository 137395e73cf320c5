import {
  ArrowRightLeft,
  ClipboardCheck,
  Combine,
  EyeOff,
  History,
  MapPin,
  Pencil,
  Printer,
  Split,
  Store,
  Trash2,
} from "lucide-react";
import type { MenuEntry } from "@/shared/ui/Menu";
import type { InventoryItem } from "./model";

/** What can be done to one row of stock. */
export function rowActions(
  item: InventoryItem,
  acts: {
    edit: () => void;
    move: () => void;
    split: () => void;
    consolidate: () => void;
    history: () => void;
    location: () => void;
    label: () => void;
    list: () => void;
    unlist: () => void;
    count: () => void;
    remove: () => void;
  },
): MenuEntry[] {
  return [
    { id: "edit", needs: "write inventoryItems/{}", label: "Edit…", icon: Pencil, run: acts.edit },
    {
      id: "move",
      needs: "write inventoryItems/{}/move",
      label: "Move…",
      icon: ArrowRightLeft,
      disabledReason: item.quantity === 0 && "There is nothing to move",
      run: acts.move,
    },
    {
      id: "split",
      needs: "write inventoryItems/{}/split",
      label: "Split…",
      icon: Split,
      disabledReason: item.quantity < 2 && "There is nothing to split",
      run: acts.split,
    },
    {
      id: "consolidate",
      needs: "write inventoryItems/consolidate",
      label: "Consolidate its lot…",
      icon: Combine,
      disabledReason: item.lot_id === null && "This lot is not in the catalogue",
      run: acts.consolidate,
    },
    { id: "history", label: "History", icon: History, run: acts.history },
    {
      id: "location",
      label: item.location_name ? `Open ${item.location_name}` : "Open its bin",
      icon: MapPin,
      disabledReason: item.location_id === null && "It has none",
      run: acts.location,
    },
    {
      id: "count",
      needs: "write stocktakes",
      label: "Count its bin…",
      icon: ClipboardCheck,
      disabledReason: item.location_id === null && "It has none",
      run: acts.count,
    },
    {
      id: "label",
      needs: "read inventoryLocations/labels",
      label: "Print its bin's label…",
      icon: Printer,
      disabledReason: item.location_id === null && "It has none",
      run: acts.label,
    },
    "separator",
    {
      id: "list",
      needs: "write marketplace/listings/stock",
      label: "List…",
      icon: Store,
      disabledReason:
        item.marketplace_lot_id === null
          ? item.quantity === 0 && "It has no pieces to list"
          : !item.stockroom && "It is for sale already",
      run: acts.list,
    },
    {
      id: "unlist",
      needs: "write marketplace/listings/unlist",
      label: "Unlist…",
      icon: EyeOff,
      disabledReason:
        item.marketplace_lot_id === null
          ? "It is not for sale"
          : item.stockroom && `It is in stockroom ${item.stockroom} already`,
      run: acts.unlist,
    },
    "separator",
    {
      id: "delete",
      needs: "write inventoryItems/{}",
      label: "Delete row",
      icon: Trash2,
      danger: true,
      disabledReason: item.quantity > 0 && "Only a row with quantity 0 can be deleted",
      run: acts.remove,
    },
  ];
}
