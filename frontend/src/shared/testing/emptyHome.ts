import type { Schema } from "@/shared/api/wire";

/** A home page with nothing on it; tests say what is different. */
export function emptyHome(also: Partial<Schema<"HomeRow">> = {}): Schema<"HomeRow"> {
  return {
    currency: "EUR",
    is_new: false,
    first_steps: { locations: false, stock: false, marketplace: false },
    last_added: null,
    today: { sorted: 0, put_away: 0, shipped: 0 },
    tiles: {
      stock_pieces: 0,
      stock_lots: 0,
      stock_value: "0.0000",
      lots_without_price: 0,
      batches: 0,
    },
    batch_returns: [],
    waiting: [],
    health: {
      marketplace: {
        marketplace_name: "BrickLink",
        is_demo: false,
        has_store: false,
        state: "none",
        problem: "",
        calls_left: 5000,
      },
      recognition: {
        provider: "Brickognize",
        is_demo: false,
        is_reachable: true,
        has_outside: true,
        own: {
          provider: "Own",
          problem: "",
          version: "",
          moulds: 0,
          share_of_pieces: 0,
          figures: {},
          licence: "",
        },
      },
      last_import: null,
      last_backup: null,
    },
    ...also,
  };
}
