import { counted, formatMoney } from "@/shared/lib/format";
import { leftOutText, NO_PRICE, valueText, type Worth } from "@/shared/lib/worth";

const DECIMALS = /[.,](\d+)$/;
/** Most prices of parts have two or three places: their points stand below each other. */
const MOST_PLACES = 3;

/** A price in a cell; a missing price is shown as muted text. */
export function priceCell(price: string | null) {
  if (price === null) return <span className="text-muted">{NO_PRICE}</span>;
  const text = formatMoney(price);
  const missing = MOST_PLACES - (DECIMALS.exec(text)?.[1]?.length ?? 0);
  return <span style={{ paddingInlineEnd: `${Math.max(0, missing)}ch` }}>{text}</span>;
}

/** A sum in a cell, and the number of lots it leaves out: "12.30 + 2 lots". */
export function worthCell(worth: Worth) {
  const { value, lots_without_price: lots } = worth;
  if (!lots) return valueText(value);
  return (
    <>
      {valueText(value)}{" "}
      <span className="whitespace-nowrap text-muted text-xs" title={leftOutText(lots).slice(2)}>
        + {counted(lots, "lot")}
      </span>
    </>
  );
}
