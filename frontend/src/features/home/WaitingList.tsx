import { clsx } from "clsx";
import {
  Archive,
  ArchiveRestore,
  Boxes,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  CircleHelp,
  Coins,
  Gavel,
  History,
  type LucideIcon,
  MapPin,
  PackageCheck,
  Puzzle,
  RefreshCw,
  Tag,
  Upload,
} from "lucide-react";
import { Link } from "react-router-dom";
import { formatAgo } from "@/shared/lib/format";
import { isItemType } from "@/shared/lib/itemTypes";
import { valueText } from "@/shared/lib/worth";
import { ItemImage } from "@/shared/ui/ItemImage";
import { EmptyState } from "@/shared/ui/states";
import type { Waiting } from "./model";

/** By the first word of a line's id; all failures share one sign. */
const icons: Record<string, LucideIcon> = {
  auction: Gavel,
  backup: ArchiveRestore,
  full: Archive,
  job: CircleAlert,
  no: MapPin,
  old: History,
  orders: PackageCheck,
  questions: CircleHelp,
  refused: CircleAlert,
  set: Puzzle,
  sync: RefreshCw,
  to: Boxes,
  unknown: CircleHelp,
  unpriced: Coins,
  unsent: Upload,
};

/** What waits for the person, most money first; each line opens the place where it is settled. */
export function WaitingList({ lines, currency }: { lines: readonly Waiting[]; currency: string }) {
  const now = Date.now();
  return (
    <section aria-labelledby="waiting" className="min-w-0">
      <header className="flex items-baseline justify-between gap-4 pb-2">
        <h2 id="waiting" className="font-semibold text-base">
          Waiting for you
        </h2>
        {lines.some((line) => line.money !== null) && (
          <span className="pr-12 text-muted text-xs">Worth, {currency}</span>
        )}
      </header>
      <div className="overflow-hidden rounded-card border border-line bg-surface shadow-card">
        {lines.length === 0 ? (
          <EmptyState icon={CircleCheck} title="Nothing waits for you">
            Lots without a bin or a price, full bins, orders and whatever fails show up here.
          </EmptyState>
        ) : (
          <ul aria-label="What waits for you" className="divide-y divide-line">
            {lines.map((line) => (
              <li key={line.id}>
                <Line line={line} now={now} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function Line({ line, now }: { line: Waiting; now: number }) {
  const Icon = icons[line.id.split("-")[0] ?? ""] ?? Tag;
  const when = line.since === null ? "" : formatAgo(line.since, now);
  const led = line.is_due ? `ends ${when}` : line.count > 1 ? `the oldest ${when}` : when;
  const note = when === "" ? line.note : `${line.note}, ${led}`;
  return (
    <Link
      to={line.to}
      className="flex min-h-16 items-center gap-4 px-4 py-2.5 outline-offset-[-2px] hover:bg-hover sm:px-5"
    >
      <span aria-hidden="true" className="flex shrink-0 gap-1 sm:w-32">
        {line.pictures.map((picture, place) => (
          <span
            key={`${picture.item_name} ${picture.color_name} ${picture.image_url}`}
            className={clsx("shrink-0", place > 0 && "max-sm:hidden")}
          >
            <ItemImage
              src={picture.image_url}
              type={isItemType(picture.item_type) ? picture.item_type : "UNSORTED_LOT"}
              name={picture.item_name}
              colorName={picture.color_name}
              colorHtml={picture.color_html}
            />
          </span>
        ))}
        {line.pictures.length === 0 && (
          <span
            className={clsx(
              "flex size-10 items-center justify-center rounded-control",
              line.is_pressing ? "bg-warning-tint text-warning" : "bg-sunken text-muted",
            )}
          >
            <Icon className="size-4.5" />
          </span>
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="wrap-anywhere line-clamp-2 font-medium">{line.title}</span>{" "}
        <span className="wrap-anywhere line-clamp-2 text-muted text-sm">{note}</span>
      </span>{" "}
      {line.money !== null && (
        <span className="shrink-0 font-semibold tabular-nums">{valueText(line.money)}</span>
      )}
      <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-faint" />
    </Link>
  );
}
