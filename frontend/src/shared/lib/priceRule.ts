/** The words of the price rule: figures that a price starts from, roundings, reasons. */
import { formatMoney } from "./format";
import { optionsOf } from "./names";

export const basisNames = {
  reference: "Sold, else asked",
  sold: "Sold, average by pieces",
  sold_mean: "Sold, average",
  sold_median: "Sold, median",
  sold_lowest: "Sold, lowest",
  asked: "Asked, average by pieces",
  asked_mean: "Asked, average",
  asked_median: "Asked, median",
  lowest: "Asked, lowest",
};
/** `PriceBasis` of the schema, which requests compare it with. */
export type Basis = keyof typeof basisNames;
export const bases = optionsOf<Basis>(basisNames);

/** Whether the figure is one of the lowest prices, of which one is chosen. */
export const isLowest = (basis: string): boolean => basis.endsWith("lowest");

/** A step and what a price is below it, as one choice. */
const ROUNDINGS = ["0", "0.001", "0.01", "0.05", "0.1", "0.1 0.01", "1 0.01", "1 0.05"];

function roundingName(value: string): string {
  const [step = 0, ending = 0] = value.split(" ").map(Number);
  if (ending > 0) return `To end as ${formatMoney(2 * step - ending)}`;
  return step === 0 ? "Not rounded" : `To ${formatMoney(step)}`;
}

/** The choice that a step and an ending are. */
export const roundingOf = (step: string, ending: string): string =>
  Number(ending) > 0 ? `${Number(step)} ${Number(ending)}` : String(Number(step));

/** The roundings to choose from, and the one that is set, if it is another. */
export const roundings = (present = "0") =>
  [...new Set([...ROUNDINGS, present])].map((value) => ({ value, label: roundingName(value) }));

/** A choice as the API takes it. */
export function roundingBody(value: string): Record<string, string> {
  const [rounding = "", ending = "0"] = value.split(" ");
  return value === "" ? {} : { rounding, ending };
}

/** What becomes of a price that the market has no figure for. */
export const withoutDataNames = {
  keep: "Keep the price",
  zero: "Take it away",
  mark: "Keep it and report it",
};

const limits: Record<string, string> = {
  least: "the lowest price you set",
  most: "the highest price you set",
  step: "the largest step",
};

/** Why a price is what it is: the figure, and the bound that decided it. */
export const whyPrice = (row: { found_by?: string; limited_by?: string }): string =>
  [basisNames[row.found_by as Basis] ?? row.found_by, limits[row.limited_by ?? ""]]
    .filter(Boolean)
    .join("; ");
