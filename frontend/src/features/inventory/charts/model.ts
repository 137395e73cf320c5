/** What the stock's value is made of, as the server sends it. */
export type Sums = { rows: number; pieces: number; value: string; lots_without_price: number };

export type CurvePoint = { rows: number; value: string };

export type StockSums = {
  by_type: readonly (Sums & { item_type: string })[];
  /** A location's; none's; or, of several `locations`, those of all that are not named. */
  by_location: readonly (Sums & {
    location_id: number | null;
    location_name: string | null;
    locations: number;
  })[];
  by_age: readonly (Sums & { age: string })[];
  /** So many of the dearest rows are worth so much together; from nothing to all. */
  curve: readonly CurvePoint[];
};
