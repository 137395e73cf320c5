import { Undo2 } from "lucide-react";
import { formatCount } from "@/shared/lib/format";
import { priceText } from "@/shared/lib/worth";
import { ColorSwatch } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import type { BatchItem } from "../model";
import { itemName } from "../rules";

const SHOWN = 5;

/** What was added since the dialog was opened, newest first. */
export function AddedList(props: {
  items: readonly BatchItem[];
  onTakeBack: (item: BatchItem) => void;
}) {
  const { items } = props;
  const [last] = items;
  return (
    <section className="mt-4 flex flex-col gap-1.5">
      <p role="status" className="font-medium text-muted text-xs">
        {last &&
          `Added ${formatCount(last.qty)} × ${itemName(last)}; ${formatCount(items.length)} so far`}
      </p>
      {items.length > 0 && (
        <ul aria-label="Added" className="divide-y divide-line rounded-control border border-line">
          {items.slice(0, SHOWN).map((item) => (
            <li key={item.id} className="flex items-center gap-2 py-1 pr-1 pl-2.5 text-sm">
              <span className="shrink-0 tabular-nums">{formatCount(item.qty)} ×</span>
              <ColorSwatch html={item.color_html} />
              <span className="min-w-0 flex-1 truncate" title={item.item_name}>
                {itemName(item)}
                {item.user_inventory_item_location_name &&
                  ` → ${item.user_inventory_item_location_name}`}
              </span>
              <span className="shrink-0 text-muted tabular-nums">{priceText(item.price)}</span>
              <Button
                size="sm"
                variant="ghost"
                // The next one moves up under the pointer.
                once
                icon={<Undo2 aria-hidden="true" className="size-3.5" />}
                aria-label={`Take ${itemName(item)} back`}
                onClick={() => props.onTakeBack(item)}
              >
                Take back
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
