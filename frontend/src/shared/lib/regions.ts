import type { Names } from "./names";

/** The regions whose prices are shown beside each other. */
export type Region = "us" | "global";

export const regionNames: Names<Region> = { global: "Worldwide", us: "US" };

const countries = new Intl.DisplayNames("en", { type: "region" });

/** The name of a region, or of the country of two letters. */
export const regionName = (region: string): string =>
  region === "eu" ? "EU" : (regionNames[region as Region] ?? countries.of(region) ?? region);
