/** Amounts per piece, between the wire's four places and what a person types. */
import { priceOf, whyNotPrice } from "@/shared/lib/amounts";
import { numberFormat } from "@/shared/lib/numbers";

/** What was typed as the wire's decimal text; null for nothing, undefined for what is no amount. */
export function readPrice(text: string): string | null | undefined {
  if (text.trim() === "") return null;
  return whyNotPrice(text) === null ? priceOf(text) : undefined;
}

/** "0.1200" as 0.12, "0.1234" as it is: two places, more where they say something. */
export function shortPrice(price: string): string {
  return numberFormat({
    minimumFractionDigits: price.includes(".") ? 2 : 0,
    maximumFractionDigits: 4,
    useGrouping: false,
  }).format(Number(price));
}
