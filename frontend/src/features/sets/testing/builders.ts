import type { PartedOut, SetOverview, SetPart, SetSummary, UserSet } from "../model";

/** A set with 10 pieces, 4 of them on hand; name what matters. */
export function aSet(values: Partial<UserSet> = {}): UserSet {
  return {
    id: 3,
    item_id: 30,
    number: "10255-1",
    name: "Assembly Square",
    year: 2017,
    theme: "Creator / Modular Buildings",
    image_url: null,
    state: "in_progress",
    quantity: 1,
    condition: "U",
    sub_condition: "",
    minifigs_as: "whole",
    location_id: null,
    location_name: null,
    source_id: null,
    source_name: null,
    price_paid: null,
    acquired_on: null,
    notes: "",
    pieces_required: 10,
    pieces_on_hand: 4,
    pieces_missing: 6,
    percent: 40,
    minifigs_required: 0,
    minifigs_on_hand: 0,
    value: null,
    parts_value: null,
    lots_without_price: 0,
    figuresAt: null,
    createdAt: "2026-01-02T03:04:05Z",
    updatedAt: "2026-01-02T03:04:05Z",
    ...values,
  };
}

export function aSummary(values: Partial<SetSummary> = {}): SetSummary {
  return {
    pieces_required: 10,
    pieces_on_hand: 4,
    pieces_missing: 6,
    pieces_in_stock: 2,
    lots_required: 3,
    lots_missing: 2,
    minifigs_required: 0,
    minifigs_on_hand: 0,
    cost_of_missing: "1.5000",
    lots_without_price: 1,
    lots_without_number: 0,
    parts_value: "2.5000",
    parts_without_price: 0,
    region: "global",
    value_of_set: null,
    value_of_set_at: null,
    parts_value_at: null,
    currency: "EUR",
    by_color: [],
    ...values,
  };
}

export function aPart(values: Partial<SetPart> = {}): SetPart {
  return {
    id: 7,
    user_set_id: 3,
    lot_id: 5,
    item_id: 50,
    item_type: "PART",
    item_number: "3001",
    item_name: "Brick 2 x 4",
    color_id: 5,
    color_name: "Red",
    color_html: "#B30006",
    image_url: null,
    quantity_required: 4,
    quantity_on_hand: 1,
    quantity_missing: 3,
    in_stock: 2,
    places: [{ location_id: 1, location_name: "A-01", quantity: 2 }],
    ...values,
  };
}

export function aPartOut(values: Partial<PartedOut> = {}): PartedOut {
  return {
    batch_id: null,
    batch_name: null,
    number: "10255-1",
    name: "Assembly Square",
    currency: "EUR",
    value: "3.5000",
    lots_without_price: 0,
    figures: {
      pieces: 10,
      lots: 3,
      parts_of_one: 9,
      minifigs_of_one: 1,
      minifig_parts_of_one: 0,
      minifigs_without_parts: 1,
      extra_rows: 2,
      extra_pieces: 2,
      alternate_rows: 0,
      counterpart_rows: 1,
    },
    values: [
      {
        condition: "U",
        region: "global",
        value: "3.5000",
        lots_without_price: 1,
        figuresAt: null,
      },
    ],
    items: [],
    not_there: [],
    ...values,
  };
}

/** Nothing is open; name what matters. */
export function anOverview(values: Partial<SetOverview> = {}): SetOverview {
  return {
    currency: "EUR",
    open_sets: 0,
    pieces_required: 0,
    pieces_on_hand: 0,
    cost_of_missing: "0.0000",
    lots_without_price: 0,
    figuresAt: null,
    sets: [],
    ...values,
  };
}
