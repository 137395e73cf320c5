/** The charts of a batch as the wire spells them. */

export type Share = {
  lots: number;
  pieces: number;
  value: string;
  lots_without_price: number;
};

/** Lots that ask so many percent above (negative: below) their reference price. */
export type Deviation = {
  from_percent: number | null;
  below_percent: number | null;
  lots: number;
};

export type Charts = {
  by_color: readonly (Share & { color_name: string; color_html: string })[];
  by_type: readonly (Share & { item_type: string })[];
  deviations: readonly Deviation[];
  unpriced: number;
  unknown: number;
};
