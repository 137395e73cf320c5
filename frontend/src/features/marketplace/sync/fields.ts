import type { SyncDifference } from "./model";

/** The fields of a lot that stock and store can say otherwise. */
export const fieldNames: Record<SyncDifference["changes"][number]["field"], string> = {
  price: "Price",
  cost: "Cost",
  condition: "Condition",
  sub_condition: "Completeness",
  bulk: "Bulk",
  sale: "Sale",
  comments: "Comments",
  remarks: "Remarks",
  retain: "Retain",
  stockroom: "Stockroom",
  tq1: "Tier 1 from",
  tp1: "Tier 1 price",
  tq2: "Tier 2 from",
  tp2: "Tier 2 price",
  tq3: "Tier 3 from",
  tp3: "Tier 3 price",
};
