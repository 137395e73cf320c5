/** Stock and its ledger as the wire spells them. */
import type { Condition } from "@/shared/ui/Lot";

export type InventoryItem = {
  id: number;
  lot_id: number | null;
  item_number: string;
  item_type: string;
  part_name: string;
  description: string;
  image_url: string | null;
  color_id: number | null;
  color_name: string;
  color_html: string;
  is_known: boolean;
  quantity: number;
  price: string;
  condition: Condition;
  sub_condition: string;
  location_id: number | null;
  location_name: string | null;
  remarks: string;
  comments: string;
  stockroom: string;
  createdAt: string;
  updatedAt: string;
};

export type Reason =
  | "stow"
  | "remove"
  | "move"
  | "edit"
  | "import"
  | "undo"
  | "sale"
  | "consolidate";

/** One line of the ledger: so many pieces in or out of a row, and why. */
export type Movement = {
  id: number;
  delta: number;
  reason: Reason;
  by_name: string | null;
  from_location_name: string | null;
  to_location_name: string | null;
  note: string;
  cause_kind: string;
  cause_id: number | null;
  /** Pieces after it; not told by every server. */
  balance?: number;
  createdAt: string;
};
