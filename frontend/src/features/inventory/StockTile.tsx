import { clsx } from "clsx";
import { colorWords } from "@/shared/lib/colorNames";
import { formatCount } from "@/shared/lib/format";
import { isItemType } from "@/shared/lib/itemTypes";
import { rowWorth, valueText } from "@/shared/lib/worth";
import { ColorSwatch } from "@/shared/ui/Badge";
import { ItemImage } from "@/shared/ui/ItemImage";
import { conditionNames, UnknownLotTag } from "@/shared/ui/Lot";
import type { InventoryItem } from "./model";

/** A row of stock as a picture: how many, in which bin, worth how much. */
export function StockTile({ row }: { row: InventoryItem }) {
  const name = row.part_name || row.item_number || "(no number)";
  const color = colorWords(row.color_name);
  const words = [row.item_number, color, conditionNames[row.condition]];
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
      <p className="mt-2 flex min-w-0 items-center gap-1.5">
        {color && <ColorSwatch html={row.color_html} />}
        <a
          href={`?item=${row.id}`}
          data-open=""
          tabIndex={-1}
          title={[name, ...words].filter(Boolean).join(", ")}
          className="truncate font-medium hover:text-accent-ink hover:underline"
        >
          {name}
        </a>
        {!row.is_known && <UnknownLotTag />}
      </p>
      <p className="mt-0.5 flex min-w-0 items-baseline gap-1.5 tabular-nums">
        <strong className={clsx("font-semibold", row.quantity === 0 && "text-warning")}>
          {formatCount(row.quantity)}
        </strong>
        <span
          className={clsx("truncate text-xs", row.location_name ? "text-muted" : "text-warning")}
        >
          {row.location_name ? `in ${row.location_name}` : "no bin"}
        </span>
        <span className="ml-auto shrink-0 text-xs">{valueText(rowWorth(row))}</span>
      </p>
    </>
  );
}
