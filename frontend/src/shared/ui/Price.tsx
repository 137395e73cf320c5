import { counted, formatMoney } from "@/shared/lib/format";
import { leftOutText, NO_PRICE, valueText, type Worth } from "@/shared/lib/worth";

/** A price in a cell; a missing price is shown as muted text. */
export const priceCell = (price: string | null, currency = "") =>
  price === null ? <span className="text-muted">{NO_PRICE}</span> : formatMoney(price, currency);

/** A sum in a cell, and the number of lots it leaves out: "12.30 + 2 lots". */
export function worthCell(worth: Worth, currency = "") {
  const { value, lots_without_price: lots } = worth;
  if (!lots) return valueText(value, currency);
  return (
    <>
      {valueText(value, currency)}{" "}
      <span className="text-muted text-xs" title={leftOutText(lots).slice(2)}>
        + {counted(lots, "lot")}
      </span>
    </>
  );
}
