/** Periods, rules of VAT and files of the books, in words. Pure. */

import type { Schema } from "@/shared/api/wire";
import { counted } from "@/shared/lib/format";

export type Books = Schema<"BooksRow">;
export type RuleSums = Books["rules"][number];
/** Days as `2026-01-31`, both included. */
export type Period = { first: string; last: string };

export const modeNames = {
  none: "No VAT",
  small: "Small business",
  normal: "VAT on every lot",
  margin: "Margin scheme for used lots, VAT on new ones",
} as const;

const ruleNames: Readonly<Record<RuleSums["rule"], string>> = {
  none: "No VAT",
  small: "Small business",
  normal: "VAT",
  margin: "Margin scheme",
  oss: "One-stop-shop",
  outside: "Outside the EU",
  unknown: "Not known",
};

/** "VAT, DE 19 %". */
export function ruleText({ rule, country, percent }: RuleSums): string {
  const rate = percent !== null && Number(percent) > 0 ? ` ${Number(percent)} %` : "";
  return country ? `${ruleNames[rule]}, ${country}${rate}` : ruleNames[rule];
}

export const fileNames = {
  sales: "Sales",
  margin: "Margin scheme record",
  fees: "Fees",
  shipping: "Shipping and charges",
  refunds: "Refunds",
  purchases: "Purchases",
  datev: "Bookings for DATEV",
  xero: "Bookings for Xero",
} as const;

export type FileName = keyof typeof fileNames;

const iso = (day: Date): string => day.toISOString().slice(0, 10);

/** The periods that are offered, the newest first: quarters of this year and the last, and years. */
export function periodsAt(now: Date): { label: string; period: Period }[] {
  const year = now.getFullYear();
  const quarter = Math.floor(now.getMonth() / 3);
  const found = [];
  for (let back = 0; back < 5; back += 1) {
    const nth = year * 4 + quarter - back;
    const [ofYear, place] = [Math.floor(nth / 4), nth % 4];
    found.push({
      label: `Quarter ${place + 1} of ${ofYear}`,
      period: {
        first: iso(new Date(Date.UTC(ofYear, place * 3, 1))),
        last: iso(new Date(Date.UTC(ofYear, place * 3 + 3, 0))),
      },
    });
  }
  for (const each of [year, year - 1, year - 2]) {
    found.push({ label: String(each), period: { first: `${each}-01-01`, last: `${each}-12-31` } });
  }
  return found;
}

/** What the sums leave out, a sentence each. */
export function missingTexts({ missing, currency }: Books): string[] {
  const texts: [number, string][] = [
    [missing.sales_without_cost, "without a cost: not in cost, margin and margin tax"],
    [missing.sales_without_source, "by the margin scheme of a batch without a source"],
    [missing.sales_without_country, "without a known country or rate: not in the tax"],
  ];
  return [
    ...texts.filter(([n]) => n > 0).map(([n, text]) => `${counted(n, "sale")} ${text}`),
    ...(missing.purchases_without_cost
      ? [`${counted(missing.purchases_without_cost, "batch", "batches")} without a cost`]
      : []),
    ...(missing.orders_without_date
      ? [`${counted(missing.orders_without_date, "order")} without a date: in no period`]
      : []),
    ...(missing.orders_in_other_currency
      ? [`${counted(missing.orders_in_other_currency, "order")} not in ${currency}`]
      : []),
  ];
}
