/** Sets and their parts as the wire spells them. */
import type { Region } from "@/shared/lib/regions";
import type { Condition } from "@/shared/ui/Lot";

export type SetState = "to_check" | "to_build" | "in_progress" | "complete" | "for_sale" | "sold";
export type MinifigsAs = "whole" | "parts";
export type SubCondition = "" | "C" | "I" | "M";

export const stateNames: Record<SetState, string> = {
  to_check: "To check",
  to_build: "To build",
  in_progress: "In progress",
  complete: "Complete",
  for_sale: "For sale",
  sold: "Sold",
};

const OPEN_STATES: readonly SetState[] = ["to_check", "to_build", "in_progress"];

/** Whether parts are put aside for it while sorting. */
export const isOpen = (state: SetState): boolean => OPEN_STATES.includes(state);

export const stateOptions = (Object.keys(stateNames) as SetState[]).map((value) => ({
  value,
  label: stateNames[value],
}));

export const subConditionOptions = [
  { value: "", label: "Not said" },
  { value: "M", label: "Sealed" },
  { value: "C", label: "Complete" },
  { value: "I", label: "Incomplete" },
] as const;

export type UserSet = {
  id: number;
  item_id: number;
  number: string;
  name: string;
  year: number | null;
  theme: string;
  image_url: string | null;
  state: SetState;
  quantity: number;
  condition: Condition;
  sub_condition: SubCondition;
  minifigs_as: MinifigsAs;
  location_id: number | null;
  location_name: string | null;
  source_id: number | null;
  source_name: string | null;
  price_paid: string | null;
  acquired_on: string | null;
  notes: string;
  pieces_required: number;
  pieces_on_hand: number;
  pieces_missing: number;
  /** Null where nobody lists what it is made of. */
  percent: number | null;
  minifigs_required: number;
  minifigs_on_hand: number;
  /** Of all of them by the price rule, in the store's currency; null: unknown. */
  value: string | null;
  /** Of the parts that it requires, by the rule; some lots may have no price. */
  parts_value: string | null;
  lots_without_price: number;
  createdAt: string;
  updatedAt: string;
};

export type SetSummary = {
  pieces_required: number;
  pieces_on_hand: number;
  pieces_missing: number;
  /** Missing ones that lie in stock. */
  pieces_in_stock: number;
  lots_required: number;
  lots_missing: number;
  minifigs_required: number;
  minifigs_on_hand: number;
  cost_of_missing: string | null;
  lots_without_price: number;
  lots_without_number: number;
  parts_value: string | null;
  /** Required lots that are not in it. */
  parts_without_price: number;
  /** Whose prices these are. */
  region: Region;
  value_of_set: string | null;
  currency: string;
  by_color: {
    color_id: number;
    color_name: string;
    color_html: string;
    pieces_required: number;
    pieces_on_hand: number;
  }[];
};

export type SetPart = {
  id: number;
  user_set_id: number;
  lot_id: number;
  item_id: number;
  item_type: string;
  item_number: string;
  item_name: string;
  color_id: number;
  color_name: string;
  color_html: string;
  image_url: string | null;
  quantity_required: number;
  quantity_on_hand: number;
  quantity_missing: number;
  in_stock: number;
  places: { location_id: number | null; location_name: string; quantity: number }[];
};

export type LeftOutLine = {
  id: number;
  kind: "spare" | "alternate" | "counterpart";
  match_id: number;
  lot_id: number;
  item_type: string;
  item_number: string;
  item_name: string;
  color_name: string;
  color_html: string;
  quantity: number;
};

export type MinifigPart = {
  id: number;
  minifig_lot_id: number;
  lot_id: number;
  item_number: string;
  item_name: string;
  color_name: string;
  color_html: string;
  quantity: number;
  in_stock: number;
};

export type Taken = {
  take_id: number | null;
  pieces: number;
  pick_count: number;
  still_missing: number;
  picks: {
    part_id: number;
    item_number: string;
    item_name: string;
    color_name: string;
    color_html: string;
    location_name: string;
    condition: Condition;
    quantity: number;
  }[];
};

export type SetTake = {
  id: number;
  piece_count: number;
  createdAt: string;
  undoneAt: string | null;
};

export type AddedMany = { added: number[]; refused: { number: string; reason: string }[] };

export type PartedOut = {
  batch_id: number | null;
  batch_name: string | null;
  number: string;
  name: string;
  currency: string;
  value: string;
  lots_without_price: number;
  figures: {
    pieces: number;
    lots: number;
    parts_of_one: number;
    minifigs_of_one: number;
    minifig_parts_of_one: number;
    minifigs_without_parts: number;
    extra_rows: number;
    extra_pieces: number;
    alternate_rows: number;
    counterpart_rows: number;
  };
  values: { condition: Condition; region: Region; value: string; lots_without_price: number }[];
  items: {
    lot_id: number;
    item_number: string;
    item_name: string;
    color_name: string;
    color_html: string;
    quantity: number;
    price: string | null;
  }[];
  not_there: string[];
};

export type BuildSearch = {
  id: number;
  job_id: string;
  least_pieces: number;
  least_percent: number;
  set_count: number;
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
};

export type BuildableSet = {
  id: number;
  build_search_id: number;
  item_id: number;
  number: string;
  name: string;
  year: number | null;
  theme: string;
  image_url: string | null;
  percent: string;
  pieces_required: number;
  pieces_in_stock: number;
  pieces_missing: number;
  lots_missing: number;
};

/** All open sets whose parts are known. */
export type SetOverview = {
  currency: string;
  open_sets: number;
  pieces_required: number;
  pieces_on_hand: number;
  cost_of_missing: string | null;
  lots_without_price: number;
  /** The most complete first, at most 8. */
  sets: {
    id: number;
    number: string;
    name: string;
    pieces_required: number;
    pieces_missing: number;
    percent: number;
    cost_of_missing: string | null;
  }[];
};
