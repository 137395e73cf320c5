import type { Schema } from "@/shared/api/wire";

/** What the stock's value is made of, as the server sends it. */
export type Sums = Pick<Schema<"TypeSums">, "rows" | "pieces" | "value" | "lots_without_price">;

export type CurvePoint = Schema<"CurvePoint">;

export type StockSums = Schema<"StockChartsRow">;
