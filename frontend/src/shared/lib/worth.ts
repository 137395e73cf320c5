/** The value of rows, computed here only. Exact, rounded once; a missing price is null, never 0. */
import { counted, formatAgo, formatMoney, formatNumber } from "./format";

export type Priced = { quantity: number; price: string | null };

/**
 * A sum, and the number of lots left out because they have no price. The sum is null, never 0, where
 * no lot has one.
 */
export type Worth = { value: string | number | null; lots_without_price: number };

// Amounts have four places. Whole ten-thousandths add up exactly.
const PARTS = 10_000;
const parts = (amount: string | number) => Math.round(Number(amount) * PARTS);

export function worthOf(rows: readonly Priced[]): Worth {
  let value = 0;
  let without = 0;
  let priced = 0;
  for (const { quantity, price } of rows) {
    if (price !== null) {
      value += quantity * parts(price);
      if (quantity > 0) priced += 1;
    } else if (quantity > 0) without += 1;
  }
  return {
    value: without > 0 && priced === 0 ? null : value / PARTS,
    lots_without_price: without,
  };
}

/** A sum of the server's, which is 0 where no lot has a price. */
export const summedWorth = (sums: {
  total_value: string;
  total_lots: number;
  lots_without_price: number;
}): Worth => ({
  value:
    sums.total_lots > 0 && sums.lots_without_price >= sums.total_lots ? null : sums.total_value,
  lots_without_price: sums.lots_without_price,
});

/** The value of one row; null without a price. */
export const rowWorth = ({ quantity, price }: Priced): number | null =>
  price === null ? null : (quantity * parts(price)) / PARTS;

/** A value in whole cents, halves rounded up. */
export function valueText(value: string | number | null | undefined, currency = ""): string {
  if (value === null || value === undefined) return formatMoney(null);
  return formatMoney(Math.round(parts(value) / 100) / 100, currency);
}

export const NO_PRICE = "no price";

/** "2 lots have no price": a sum leaves them out. */
export const unpricedText = (lots: number): string =>
  `${counted(lots, "lot has", "lots have")} no price`;

/** ", 2 lots have no price", or an empty text. */
export const leftOutText = (lots: number | undefined): string =>
  lots ? `, ${unpricedText(lots)}` : "";

/** A sum and what it leaves out: "12.30", ", 1 lot has no price". */
export function worthParts(worth: Worth, currency = ""): [figure: string, beside: string] {
  const { value, lots_without_price } = worth;
  if (value === null && lots_without_price) return [NO_PRICE, ""];
  return [valueText(value, currency), leftOutText(lots_without_price)];
}

/** "12.30, 1 lot has no price". */
export const worthText = (worth: Worth, currency = ""): string =>
  worthParts(worth, currency).join("");

/** "prices from 3 days ago": how old figures of the market are; empty where none is used. */
export const agedText = (at: string | null): string =>
  at === null ? "" : `prices from ${formatAgo(at, Date.now())}`;

/** "2.5×", "0.85×", "15×": value divided by cost; "–" while one of them is unknown. */
export function returnText(ratio: string | number | null): string {
  if (ratio === null) return "–";
  return `${formatNumber(Number(ratio), Number(ratio) < 1 ? 2 : Number(ratio) < 10 ? 1 : 0)}×`;
}

/** The price of one piece. A price that a person set to 0 is 0.00. */
export const priceText = (price: string | null, currency = ""): string =>
  price === null ? NO_PRICE : formatMoney(price, currency);
