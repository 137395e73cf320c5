/** What the views of the stock are given by its page. */
import type { ReactNode } from "react";
import type { MenuEntry } from "@/shared/ui/Menu";
import type { ChosenRows, InventoryItem } from "./model";
import type { Shown } from "./queries";

export type StockDialog =
  | { view: "import"; file?: File; refused?: string }
  | { view: "imports" }
  | { view: "edit"; item: InventoryItem; first?: "price" }
  | { view: "move" | "split" | "label"; item: InventoryItem }
  | { view: "moveRows"; rows: ChosenRows; count: number; clear?: () => void }
  | { view: "reprice" | "prices"; rows: ChosenRows; count: number; clear: () => void }
  | { view: "consolidate"; rows: ChosenRows; clear?: () => void }
  | { view: "stock" | "unlist"; rows: ChosenRows; count: number; clear?: () => void };

export type StockViewProps = {
  shown: Shown;
  /** The choice of the view, for the toolbar. */
  choice: ReactNode;
  empty: ReactNode;
  /** The page's entries of the table's *More*. */
  more: readonly MenuEntry[];
  open: (opened: StockDialog) => void;
  setParams: (values: Record<string, string | number | null>) => void;
};

/** What narrows the stock in the address beside the columns' own filters. */
export const NARROWING = [
  "location",
  "lot",
  "batch",
  "item_type",
  "unconsolidated",
  "unpriced",
  "quantity_max",
  "is_known",
  "outlier",
  "stale_price",
  "since_sync",
  "for_sale_on",
  "show_zero_quantity",
];
