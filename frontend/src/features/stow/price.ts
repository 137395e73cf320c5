/** Amounts per piece, between the wire's four places and what a person types. */

/** What was typed as the wire's decimal text; null for nothing, undefined for what is no amount. */
export function readPrice(text: string): string | null | undefined {
  const amount = text.trim().replace(",", ".");
  if (amount === "") return null;
  return /^\d{1,8}(\.\d{1,4})?$/.test(amount) ? amount : undefined;
}

/** "0.1200" as 0.12, "0.1234" as it is: two places, more where they say something. */
export function shortPrice(price: string): string {
  return price.replace(/(\.\d\d\d*?)0+$/, "$1");
}
