/** Reports as the server sends them. Money and ratios are decimal strings. */
import type { Schema } from "@/shared/api/wire";

export type BatchLine = Schema<"BatchLine">;
export type SourceLine = Schema<"SourceLine">;
export type BatchProfitLine = Schema<"BatchProfitLine">;
export type SourceProfitLine = Schema<"SourceProfitLine">;
export type SittingLine = Schema<"SittingLine">;
export type StockLine = Schema<"StockLine">;
export type SellThroughLine = Schema<"SellThroughLine">;

export type SalesDayLine = Schema<"SalesDayLine">;
export type SalesCategoryLine = Schema<"SalesCategoryLine">;
export type SalesChannelLine = Schema<"SalesChannelLine">;
export type WalkLine = Schema<"WalkLine">;

export type Reports = Schema<"ReportsRow">;

export type ReportName =
  | "batches"
  | "sources"
  | "profit"
  | "source-profit"
  | "pace"
  | "stock"
  | "sell-through"
  | "sales"
  | "categories"
  | "channels"
  | "walks";
