/** A price beside the market's. */
import { numberFormat } from "./numbers";

export type Marketed = {
  price: string | null;
  reference_price: string | null;
  reference_basis: "sold" | "asked" | "none";
  referenceAt: string | null;
};

/** By how many percent a lot asks more (or, negative, less) than the market; null: unknown. */
export function differenceOf(item: Pick<Marketed, "price" | "reference_price">): number | null {
  const reference = Number(item.reference_price);
  return item.price === null || reference === 0 ? null : (Number(item.price) / reference - 1) * 100;
}

/** "+12 %", "−3.5 %": whole percents from ten on. */
export function percentText(percent: number | null): string {
  if (percent === null) return "–";
  const size = Math.abs(percent);
  if (size < 0.05) return "0 %";
  const places = size >= 9.95 ? 0 : 1;
  const text = numberFormat({
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(size);
  return `${percent < 0 ? "−" : "+"}${text} %`;
}

/** From here on a price is marked: three times the market's, or a third of it. */
export const isFarOff = (percent: number | null): boolean =>
  percent !== null && (percent > 200 || percent < -200 / 3);
