/** Reports as the server sends them. Money and ratios are decimal strings. */

export type BatchLine = {
  id: number;
  name: string;
  source_name: string;
  createdAt: string;
  is_archived: boolean;
  lots: number;
  pieces: number;
  cost: string | null;
  value: string;
  lots_without_price: number;
  gives_back: string | null;
  cost_per_kg: string | null;
  cost_per_piece: string | null;
};
export type SourceLine = {
  id: number;
  name: string;
  batches: number;
  pieces: number;
  spent: string;
  value: string;
  lots_without_price: number;
  gives_back: string | null;
};
export type SittingLine = {
  id: number;
  startedAt: string;
  minutes: number;
  lots: number;
  pieces: number;
  undos: number;
  per_minute: string | null;
};
export type StockLine = {
  class: "A" | "B" | "C";
  age: string;
  lots: number;
  pieces: number;
  value: string;
  lots_without_price: number;
};
export type SellThroughLine = {
  item_type: string;
  stock_pieces: number;
  sold_30: number;
  sold_90: number;
  sold_365: number;
  sell_through: string | null;
};

export type Reports = {
  currency: string;
  batch_count: number;
  batches: BatchLine[];
  sources: SourceLine[];
  pace: SittingLine[];
  stock: StockLine[];
  sell_through: SellThroughLine[];
};

export type ReportName = "batches" | "sources" | "pace" | "stock" | "sell-through";
