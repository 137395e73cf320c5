/** The charts of a batch as the wire spells them. */
import type { Schema } from "@/shared/api/wire";

export type Share = Pick<
  Schema<"ColorShareRow">,
  "lots" | "pieces" | "value" | "lots_without_price"
>;

/** Lots that ask so many percent above (negative: below) their reference price. */
export type Deviation = Schema<"DeviationRow">;

export type Charts = Schema<"ChartsRow">;
