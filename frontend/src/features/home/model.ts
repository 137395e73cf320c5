/** The home page as the server sends it. Money and ratios are decimal strings. */

export type LastAdded = {
  batch_id: number;
  batch_name: string;
  batch_pieces: number;
  is_archived: boolean;
  quantity: number;
  item_type: string;
  item_number: string;
  item_name: string;
  color_name: string;
  color_html: string;
  image_url: string;
  addedAt: string;
};

export type Tiles = {
  stock_pieces: number;
  stock_lots: number;
  stock_value: string;
  lots_without_price: number;
  new_pieces: number;
  new_lots: number;
  stowed_pieces: number;
  stowed_lots: number;
  listed_pieces: number;
  listed_lots: number;
  batches: number;
  batches_with_new: number;
  locations: number;
  locations_nearly_full: number;
  spread_lots: number;
  failed_jobs: number;
};

export type Day = { day: string; added: number; stowed: number };
export type Sitting = {
  startedAt: string;
  minutes: number;
  pieces: number;
  per_minute: string | null;
};
export type TypeSum = {
  item_type: string;
  lots: number;
  pieces: number;
  value: string;
  lots_without_price: number;
};
export type BatchReturn = {
  id: number;
  name: string;
  cost: string;
  value: string;
  lots_without_price: number;
  gives_back: string | null;
};
export type SourceReturn = {
  id: number;
  name: string;
  batches: number;
  spent: string;
  value: string;
  lots_without_price: number;
  gives_back: string | null;
};

export type ToDo = {
  refused: {
    batch_id: number;
    batch_name: string;
    kind: string;
    failed_count: number;
    createdAt: string;
  }[];
  failed_jobs: { id: string; kind: string; message: string; createdAt: string }[];
  planned: {
    lots: number;
    pieces: number;
    batches: number;
    batch_id: number;
    since: string;
  } | null;
  unpriced: { lots: number } | null;
  old_prices: { lots: number; looked_at: number; since: string } | null;
  auctions: {
    id: number;
    title: string;
    end_time: string;
    current_price: string;
    landed_cost: string | null;
    landed_per_kg: string | null;
    my_bid: string | null;
  }[];
  sets: { id: number; number: string; name: string; pieces: number }[];
};

export type Health = {
  marketplace: {
    marketplace_name: string;
    is_demo: boolean;
    state: "none" | "untested" | "ok" | "refused";
    problem: string;
    calls_used: number;
    calls_limit: number;
  };
  recognition: { provider: string; is_demo: boolean; is_reachable: boolean };
  last_import: { name: string; at: string; into: "inventory" | "batch" } | null;
  last_backup: { id: number; name: string; at: string; of: "everything" | "inventory" } | null;
};

export type FirstStepsDone = { locations: boolean; stock: boolean; marketplace: boolean };

export type Home = {
  currency: string;
  is_new: boolean;
  first_steps: FirstStepsDone;
  last_added: LastAdded | null;
  tiles: Tiles;
  days: Day[];
  sittings: Sitting[];
  by_type: TypeSum[];
  batch_returns: BatchReturn[];
  source_returns: SourceReturn[];
  to_do: ToDo;
  health: Health;
};
