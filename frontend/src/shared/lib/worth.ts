/** What rows are worth: one home of that sum. Exact, rounded once; no price is null, never 0. */
import { counted, formatMoney, formatNumber } from "./format";

export type Priced = { quantity: number; price: string | null };

/** A sum, and how many lots it leaves out because they have no price. */
export type Worth = { value: string | number; lots_without_price: number };

// Amounts have four places: as whole ten-thousandths they add up to the last one.
const PARTS = 10_000;
const parts = (amount: string | number) => Math.round(Number(amount) * PARTS);

export function worthOf(rows: readonly Priced[]): Worth {
  let value = 0;
  let without = 0;
  for (const { quantity, price } of rows) {
    if (price !== null) value += quantity * parts(price);
    else if (quantity > 0) without += 1;
  }
  return { value: value / PARTS, lots_without_price: without };
}

/** What one row is worth, null without a price. */
export const rowWorth = ({ quantity, price }: Priced): number | null =>
  price === null ? null : (quantity * parts(price)) / PARTS;

/** A value in whole cents, halves up, wherever it stands. */
export function valueText(value: string | number | null | undefined, currency = ""): string {
  if (value === null || value === undefined) return formatMoney(null);
  return formatMoney(Math.round(parts(value) / 100) / 100, currency);
}

/** ", 2 lots without a price not counted", or nothing. */
export const leftOutText = (lots: number | undefined): string =>
  lots ? `, ${counted(lots, "lot")} without a price not counted` : "";

/** "12.30, 1 lot without a price not counted". */
export const worthText = (worth: Worth, currency = ""): string =>
  valueText(worth.value, currency) + leftOutText(worth.lots_without_price);

/** "2.5×": how often the cost came back; "–" while nobody knows. */
export function returnText(ratio: string | number | null): string {
  if (ratio === null) return "–";
  return `${formatNumber(Number(ratio), Number(ratio) < 10 ? 2 : 1)}×`;
}

export const NO_PRICE = "no price";

/** A price of one piece; one that somebody set to 0 is 0.00. */
export const priceText = (price: string | null, currency = ""): string =>
  price === null ? NO_PRICE : formatMoney(price, currency);
