import type { Names } from "./names";

/** The regions whose sales a market price is based on. */
export type Region = "us" | "global";

export const regionNames: Names<Region> = { global: "Worldwide", us: "US" };
