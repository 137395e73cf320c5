/** Prices of a piece, converted between the API's four places and typed text. */
import { priceOf, whyNotPrice } from "@/shared/lib/amounts";
import { numberFormat } from "@/shared/lib/numbers";

/** The typed text as the API's decimal; null for blank text, undefined if it is not an amount. */
export function readPrice(text: string): string | null | undefined {
  if (text.trim() === "") return null;
  return whyNotPrice(text) === null ? priceOf(text) : undefined;
}

/** "0.1200" as 0.12, "0.1234" unchanged: two places, more where they are not zero. */
export function shortPrice(price: string): string {
  return numberFormat({
    minimumFractionDigits: price.includes(".") ? 2 : 0,
    maximumFractionDigits: 4,
    useGrouping: false,
  }).format(Number(price));
}
