/** The connection to a store, its calls of today, and the rule that prices are made by. */

export type ConnectionState = "none" | "untested" | "ok" | "refused";

export type Allowance = { kind: string; name: string; used: number; limit: number; left: number };

export type Connection = {
  marketplace_name: string;
  /** Calls go to the demo store, whose figures are invented. */
  is_demo: boolean;
  state: ConnectionState;
  problem: string;
  /** Ours, as the marketplace saw it when it refused a token that is bound to another. */
  outgoing_address: string;
  connectedAt: string | null;
  testedAt: string | null;
  /** Percent of a day's calls that *Get prices* may use. */
  guide_share: number;
  calls: { used: number; limit: number; resetsAt: string; kinds: Allowance[] };
};

export type Secrets = {
  consumer_key: string;
  consumer_secret: string;
  token: string;
  token_secret: string;
};

export type PriceRule = {
  basis: "reference" | "sold" | "asked" | "lowest";
  region: "global" | "us";
  /** Decimal text, as all amounts here. */
  percent: string;
  rounding: string;
  minimum: string;
  without_data: "keep" | "zero" | "mark";
  /** Below it a lot is of low value. */
  low_value: string;
  /** From it on a lot is highlighted. */
  high_value: string;
  updatedAt: string | null;
};

export const basisNames: Record<PriceRule["basis"], string> = {
  reference: "Sold, else asked",
  sold: "Average sold",
  asked: "Average asked",
  lowest: "Lowest asked",
};
