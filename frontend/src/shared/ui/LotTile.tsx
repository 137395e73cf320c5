import { clsx } from "clsx";
import { colorWords } from "@/shared/lib/colorNames";
import { formatCount } from "@/shared/lib/format";
import { isItemType } from "@/shared/lib/itemTypes";
import { rowWorth, valueText } from "@/shared/lib/worth";
import { ColorSwatch } from "./Badge";
import { ItemImage } from "./ItemImage";
import { type LotCondition, lotConditionNames, UnknownLotTag } from "./Lot";

export type TileRow = Parameters<typeof rowWorth>[0] & {
  item_number: string;
  part_name: string;
  item_type: string;
  image_url: string | null;
  color_name: string;
  color_html: string;
  condition: LotCondition;
  is_known: boolean;
};

/** A row of stock as a picture: how many, worth how much, and `about` it. */
export function LotTile(props: { row: TileRow; to: string; about: string; isOdd?: boolean }) {
  const { row, to, about, isOdd } = props;
  const name = row.part_name || row.item_number || "(no number)";
  const color = colorWords(row.color_name);
  const words = [row.item_number, color, lotConditionNames[row.condition]];
  return (
    <>
      <ItemImage
        src={row.image_url}
        type={isItemType(row.item_type) ? row.item_type : "PART"}
        name={name}
        colorName={color}
        colorHtml={row.color_html}
        size="card"
      />
      <p className="mt-2 flex min-h-10 min-w-0 items-start gap-1.5 leading-5">
        {color && (
          <span className="mt-0.5">
            <ColorSwatch html={row.color_html} />
          </span>
        )}
        <a
          href={to}
          data-open=""
          tabIndex={-1}
          title={[name, ...words].filter(Boolean).join(", ")}
          className="wrap-anywhere line-clamp-[8] font-medium hover:text-accent-ink hover:underline"
        >
          {name}
        </a>
        {!row.is_known && <UnknownLotTag />}
      </p>
      <p className="mt-0.5 flex min-w-0 items-baseline gap-1.5 tabular-nums">
        <strong className={clsx("font-semibold", row.quantity === 0 && "text-warning")}>
          {formatCount(row.quantity)}
        </strong>
        <span className={clsx("truncate text-xs", isOdd ? "text-warning" : "text-muted")}>
          {about}
        </span>
        <span className="ml-auto shrink-0 text-xs">{valueText(rowWorth(row))}</span>
      </p>
    </>
  );
}
