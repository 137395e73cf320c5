import { formatCount } from "@/shared/lib/format";
import { ColorName } from "@/shared/ui/Lot";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { Notice } from "@/shared/ui/states";
import { locationQueries } from "./queries";

/** Warns of items that a location holds in several colours, since they are easily mixed up. */
export function LookAlikes({ locationId }: { locationId: number }) {
  const data = useSideQuery(
    locationQueries.lookAlikes(locationId),
    "which items are here in several colours",
  );
  if (!data || data.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title={
        data.length === 1
          ? "One item is here in several colours"
          : `${formatCount(data.length)} items have mixed colours in this bin`
      }
    >
      <ul className="flex flex-col gap-1">
        {data.map(({ item_number, part_name, colors }) => (
          <li
            key={`${item_number} ${part_name}`}
            className="flex flex-wrap items-center gap-x-3 gap-y-0.5"
          >
            <span>
              <span className="font-mono text-xs">{item_number}</span> {part_name}
            </span>
            {colors.map(({ color_name, color_html, quantity }) => (
              <span key={color_name} className="flex items-center gap-1.5 text-sm">
                <ColorName name={color_name} html={color_html} />
                <span className="text-muted tabular-nums">{formatCount(quantity)}</span>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
