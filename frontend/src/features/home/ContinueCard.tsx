import { ArrowRight } from "lucide-react";
import { counted, formatAgo, formatCount } from "@/shared/lib/format";
import { isItemType } from "@/shared/lib/itemTypes";
import { paths, pathTo } from "@/shared/lib/paths";
import { ButtonLink } from "@/shared/ui/Button";
import { ItemImage } from "@/shared/ui/ItemImage";
import type { LastAdded, Today } from "./model";
import { todayText } from "./rules";

/** Where the last sitting stopped, the way back into it, and the work of the day. */
export function ContinueCard({ last, today }: { last: LastAdded; today: Today }) {
  const { batch_pieces: pieces, batch_put_away: putAway } = last;
  const type = isItemType(last.item_type) ? last.item_type : null;
  const name = last.item_name || last.item_number;
  return (
    <section
      aria-label="Continue"
      className="flex flex-col gap-5 rounded-card border border-line bg-surface p-5 shadow-card sm:flex-row sm:items-center sm:p-6"
    >
      <div className="flex min-w-0 flex-1 items-center gap-5">
        <ItemImage
          src={last.image_url}
          type={type ?? "UNSORTED_LOT"}
          name={name}
          colorName={last.color_name}
          colorHtml={last.color_html}
          size="lg"
        />
        <div className="min-w-0">
          <p className="wrap-anywhere text-muted text-sm">
            Last added {formatAgo(last.addedAt, Date.now())}:{" "}
            <span className="text-ink">
              {formatCount(last.quantity)} {last.color_name && `${last.color_name} `}
              <span>{name}</span>
            </span>
          </p>
          <h2 className="wrap-anywhere mt-0.5 line-clamp-2 font-semibold text-xl tracking-tight sm:text-2xl">
            {last.batch_name}
          </h2>
          <p className="text-muted text-sm">
            {counted(pieces, "piece")} so far
            {putAway > 0 && `, ${putAway === pieces ? "all" : formatCount(putAway)} put away`}
          </p>
          {putAway > 0 && (
            <span aria-hidden="true" className="mt-2 block h-2 max-w-100 rounded-sm bg-sunken">
              <span
                className="block h-full rounded-sm bg-accent"
                style={{ width: `${(putAway / pieces) * 100}%` }}
              />
            </span>
          )}
          <p className="pt-2 font-medium text-sm empty:hidden">{todayText(today)}</p>
        </div>
      </div>
      {last.is_archived ? (
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={pathTo("batches", { batch: last.batch_id })} size="lg">
            Open {last.batch_name}
          </ButtonLink>
          <ButtonLink to={paths.stow} variant="primary" size="lg">
            Start sorting
            <ArrowRight aria-hidden="true" className="size-4" />
          </ButtonLink>
        </div>
      ) : (
        <ButtonLink
          to={pathTo("stow", { batch: last.batch_id })}
          variant="primary"
          size="lg"
          aria-label={`Continue sorting ${last.batch_name}`}
        >
          Continue sorting
          <ArrowRight aria-hidden="true" className="size-4" />
        </ButtonLink>
      )}
    </section>
  );
}
