/** Stock and its ledger as the wire spells them. */
import type { MovementReason } from "@/shared/lib/movementReasons";
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
  /** Of one piece; null: no price. */
  price: string | null;
  cost: string;
  bulk: number;
  sale: number;
  condition: Condition;
  sub_condition: string;
  location_id: number | null;
  location_name: string | null;
  remarks: string;
  comments: string;
  reserved: string;
  retain: boolean;
  stockroom: string;
  status: string;
  /** Its lot in the marketplace; null: it is not listed. */
  marketplace_lot_id: number | null;
  /** The batch that pieces were last stowed from, and how many batches they came from. */
  batch_id: number | null;
  batch_name: string | null;
  batch_count: number;
  date_last_sold: string | null;
  createdAt: string;
  updatedAt: string;
};

/** One line of the ledger: so many pieces in or out of a row, and why. */
export type Movement = {
  id: number;
  delta: number;
  reason: MovementReason;
  by_name: string | null;
  from_location_name: string | null;
  to_location_name: string | null;
  note: string;
  cause_kind: string;
  cause_id: number | null;
  /** Pieces after it; not sent by every server. */
  balance?: number;
  createdAt: string;
};

/** What there is of a lot in one condition, and where: at most 20 places. */
export type LotGroup = Pick<
  InventoryItem,
  | "id"
  | "lot_id"
  | "item_number"
  | "item_type"
  | "part_name"
  | "image_url"
  | "color_id"
  | "color_name"
  | "color_html"
  | "is_known"
  | "condition"
  | "quantity"
  | "updatedAt"
> & {
  row_count: number;
  location_count: number;
  price_min: string | null;
  price_max: string | null;
  value: string;
  lots_without_price: number;
  places: readonly {
    id: number;
    location_id: number | null;
    location_name: string | null;
    quantity: number;
    /** Of one piece; null: no price. */
    price: string | null;
  }[];
};

/** Which rows something is done to: named ones, or all that the list's filters let through. */
export type ChosenRows = { ids: readonly number[] } | { filter: Record<string, string> };

/** A row that stayed as it was, and why. */
export type RefusedRow = { id: number; code: string; message: string };

/** A long act runs as a job; its row is answered instead of the result. */
export type JobStarted = { id: string; kind: string; state: string };
