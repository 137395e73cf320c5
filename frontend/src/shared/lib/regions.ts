/** Where the sales took place that a price is made of. */
export type Region = "us" | "global";

export const regionOptions = [
  { value: "global", label: "Worldwide" },
  { value: "us", label: "US" },
] as const;
