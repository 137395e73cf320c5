import { stockQueries } from "@/features/catalog/public";
import { totalOf } from "@/shared/api/envelope";
import { counted, formatCount } from "@/shared/lib/format";
import { isItemType } from "@/shared/lib/itemTypes";
import { ItemImage } from "@/shared/ui/ItemImage";
import { useSideQuery } from "@/shared/ui/sideQuery";

/** What lies in the bin already, as small pictures: whoever opens it sees that it is the one. */
export function BinContents({ binId }: { binId: number }) {
  const data = useSideQuery(stockQueries.contents(binId), "what lies in the bin");
  if (!data || data.data.length === 0) return null;
  const { data: lots } = data;
  const more = totalOf(data) - lots.length;
  return (
    <section aria-label="In the bin" className="flex flex-col gap-1">
      <h3 className="font-medium text-muted text-xs">In it now</h3>
      <ul className="flex flex-wrap items-end gap-2">
        {lots.map((row) => (
          <li key={row.id} className="flex flex-col items-center text-xs tabular-nums">
            <ItemImage
              src={row.image_url}
              type={isItemType(row.item_type) ? row.item_type : "PART"}
              name={row.part_name || row.item_number}
              colorName={row.color_name}
              colorHtml={row.color_html}
            />
            {formatCount(row.quantity)}
          </li>
        ))}
        {more > 0 && <li className="text-muted text-xs">and {counted(more, "more lot")}</li>}
      </ul>
    </section>
  );
}
