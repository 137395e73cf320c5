/** The regions whose sales a market price is based on. */
export type Region = "us" | "global";

export const regionOptions = [
  { value: "global", label: "Worldwide" },
  { value: "us", label: "US" },
] as const;
