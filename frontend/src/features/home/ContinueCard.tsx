import { ArrowRight } from "lucide-react";
import { formatAgo, formatCount } from "@/shared/lib/format";
import { isItemType } from "@/shared/lib/itemTypes";
import { ColorSwatch } from "@/shared/ui/Badge";
import { ButtonLink } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { ItemImage } from "@/shared/ui/ItemImage";
import { TypeTag } from "@/shared/ui/TypeTag";
import type { LastAdded } from "./model";

/** Where the last sitting stopped, and the way back into it. */
export function ContinueCard({ last }: { last: LastAdded }) {
  const type = isItemType(last.item_type) ? last.item_type : null;
  return (
    <Card title="Continue" description={`Last item added ${formatAgo(last.addedAt, Date.now())}`}>
      <div className="flex flex-col gap-4">
        <div className="flex items-center gap-3">
          <ItemImage
            src={last.image_url}
            type={type ?? "UNSORTED_LOT"}
            name={last.item_name || last.item_number}
            colorName={last.color_name}
            colorHtml={last.color_html}
            size="md"
          />
          <div className="flex min-w-0 flex-col gap-1">
            <p className="break-words font-medium">{last.item_name || last.item_number}</p>
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-xs">
              {type && <TypeTag type={type} />}
              <span className="font-mono">{last.item_number}</span>
              {last.color_name && (
                <span className="flex items-center gap-1.5">
                  <ColorSwatch html={last.color_html} />
                  {last.color_name}
                </span>
              )}
              <span className="font-semibold text-ink tabular-nums">
                × {formatCount(last.quantity)}
              </span>
            </p>
            <p className="text-muted text-xs tabular-nums">
              {formatCount(last.batch_pieces)} pieces in {last.batch_name}
            </p>
          </div>
        </div>
        <div>
          {last.is_archived ? (
            <ButtonLink to={`/app/batches?batch=${last.batch_id}`}>
              Open {last.batch_name}
            </ButtonLink>
          ) : (
            <ButtonLink
              to={`/app/stow-inventory?batch=${last.batch_id}`}
              variant="primary"
              icon={<ArrowRight aria-hidden="true" className="size-4" />}
              className="max-w-full"
            >
              <span className="truncate">Continue stowing {last.batch_name}</span>
            </ButtonLink>
          )}
        </div>
      </div>
    </Card>
  );
}
