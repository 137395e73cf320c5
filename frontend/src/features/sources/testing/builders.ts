import type { Source } from "../model";

/** A source that nothing came from yet. */
export function aSource(values: Partial<Source> = {}): Source {
  return {
    id: 4,
    name: "Market",
    notes: "",
    batch_count: 0,
    lot_count: 0,
    piece_count: 0,
    spent: null,
    value: "0.0000",
    lots_without_price: 0,
    return_on_cost: null,
    price_per_kg: null,
    foreign_share: null,
    createdAt: "2026-01-02T03:04:05Z",
    updatedAt: "2026-01-02T03:04:05Z",
    ...values,
  };
}
