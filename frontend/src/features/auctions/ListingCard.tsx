import { clsx } from "clsx";
import { Boxes, Check, CircleHelp, Clock, Ellipsis, Star, X } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { counted, formatAgo, formatDateTime, formatMoney, formatWeight } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { Badge, type Tone } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { Menu } from "@/shared/ui/Menu";
import { Spinner } from "@/shared/ui/Spinner";
import { ListingPicture } from "./ListingPicture";
import type { Listing, Worth } from "./model";
import { isOver, isUrgent, remaining, SITE_CURRENCY, statusTones, verdictOf } from "./rules";
import type { ListingActions } from "./useListingActions";

/** Acts of a card are seen once it is pointed at, focused or touched. */
const calm =
  "opacity-0 transition-opacity has-aria-expanded:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100";

/** One listing: what it costs landed, whether it is worth that, and until when it can be had. */
export function ListingCard(props: {
  listing: Listing;
  now: number;
  actions: ListingActions;
  /** Up to where a bid makes sense, and why; none where nothing is known to reckon it by. */
  worth?: Worth | undefined;
}) {
  const { listing, now, actions, worth } = props;
  const left = remaining(listing.end_time, now);
  const isWatched = listing.watch === "watching";
  const open = () => actions.open("details", listing, worth);
  const asked = actions.isAsking(listing.id, "refresh")
    ? "Refreshing…"
    : actions.isAsking(listing.id, "shipping")
      ? "Calculating shipping…"
      : null;

  return (
    <article
      aria-label={listing.title}
      aria-busy={asked !== null}
      className="group flex flex-col overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      <div className="relative">
        <ListingPicture src={listing.image_url} size="wide" />
        <time
          dateTime={listing.end_time ?? undefined}
          title={formatDateTime(listing.end_time)}
          className={clsx(
            "absolute bottom-2 left-2 inline-flex items-center gap-1.5 rounded-full px-2.5 py-1 font-medium text-xs",
            isUrgent(listing.end_time, now)
              ? "bg-danger-solid text-on-accent"
              : "bg-ink text-canvas",
          )}
        >
          <Clock aria-hidden="true" className="size-3.5" />
          {left === "Ended" ? left : left ? `Ends in ${left}` : "End not known"}
        </time>
        <span className="absolute top-2 right-2 flex gap-1">
          <span className={clsx("rounded-control bg-surface", !isWatched && calm)}>
            <IconButton
              label={isWatched ? "Stop watching" : "Watch"}
              icon={
                <Star aria-hidden="true" className={clsx("size-4", isWatched && "fill-current")} />
              }
              size="sm"
              once
              onClick={() => actions.watch(listing, isWatched ? "" : "watching")}
            />
          </span>
          <span className={clsx("rounded-control bg-surface", calm)}>
            <Menu
              trigger={<IconButton size="sm" label="More" icon={Ellipsis} />}
              entries={actions.entriesOf(listing, worth ?? null, now)}
            />
          </span>
        </span>
      </div>
      <div className="flex flex-1 flex-col gap-3 p-4">
        <div className="flex items-baseline justify-between gap-3">
          <h2 className="min-w-0 font-semibold text-sm">
            <button
              type="button"
              onClick={open}
              title={listing.title}
              className="line-clamp-2 break-words rounded-control text-left hover:text-accent-ink hover:underline"
            >
              {listing.title}
            </button>
          </h2>
          {listing.weight_grams !== null && (
            <span className="shrink-0 text-muted text-sm">
              {formatWeight(listing.weight_grams)}
            </span>
          )}
        </div>
        <dl className="grid grid-cols-2 gap-4">
          <Landed listing={listing} isAsked={asked !== null} />
          <Figure
            label={listing.is_auction ? "Current price" : "Price"}
            note={
              <>
                {counted(listing.bid_count, "bid")}
                {listing.checkedAt && `, ${formatAgo(listing.checkedAt, now)}`}
                {listing.has_buy_it_now &&
                  `, or buy it now for ${formatMoney(listing.buy_it_now_price, SITE_CURRENCY)}`}
              </>
            }
          >
            <span className="text-muted">{formatMoney(listing.current_price, SITE_CURRENCY)}</span>
          </Figure>
        </dl>
        {worth && <WorthBar listing={listing} worth={worth} />}
        <p className="flex flex-wrap items-center gap-1.5 text-muted text-xs empty:hidden">
          {listing.status !== "open" && (
            <Badge tone={statusTones[listing.status]}>{listing.status}</Badge>
          )}
          {listing.is_pickup_only && <Badge tone="warning">pickup only</Badge>}
          <span className="min-w-0 flex-1 break-words empty:hidden">
            {[listing.seller, listing.location].filter(Boolean).join(", ")}
          </span>
          {asked && (
            <span className="inline-flex items-center gap-1">
              <Spinner className="size-3!" />
              {asked}
            </span>
          )}
        </p>
        {(listing.my_bid !== null || listing.note) && (
          <p className="break-words text-xs">
            {listing.my_bid !== null && `My bid ${formatMoney(listing.my_bid, SITE_CURRENCY)}. `}
            <span className="text-muted">{listing.note}</span>
          </p>
        )}
      </div>
      <Foot listing={listing} worth={worth} now={now} actions={actions} />
    </article>
  );
}

/** A kilogram landed where the weight is known, else the whole of it. */
function Landed({ listing, isAsked }: { listing: Listing; isAsked: boolean }) {
  const [rate] = listing.shipping_rates;
  const shipping = rate && (
    <span
      title={`${rate.method}, ${rate.calculatedAt ? formatDateTime(rate.calculatedAt) : "entered"}`}
    >
      with {formatMoney(rate.cost, SITE_CURRENCY)} shipping
      {listing.handling_cost !== null &&
        ` + ${formatMoney(listing.handling_cost, SITE_CURRENCY)} handling`}
    </span>
  );
  if (listing.landed_per_kg !== null) {
    return (
      <Figure
        label="Landed per kg"
        note={
          <>
            {formatMoney(listing.landed_cost, SITE_CURRENCY)} landed, {shipping}
          </>
        }
      >
        {formatMoney(listing.landed_per_kg, SITE_CURRENCY)}
      </Figure>
    );
  }
  return (
    <Figure
      label="Landed cost"
      note={shipping ?? (isAsked ? "Asking for the shipping …" : "Shipping is not known")}
    >
      {listing.landed_cost === null ? "?" : formatMoney(listing.landed_cost, SITE_CURRENCY)}
    </Figure>
  );
}

function Figure(props: { label: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-muted text-xs">{props.label}</dt>
      <dd className="font-semibold text-2xl tabular-nums">{props.children}</dd>
      {/* The height of two lines: the shipping is often known later. */}
      <dd className="min-h-8 break-words text-muted text-xs tabular-nums">{props.note}</dd>
    </div>
  );
}

/** What it costs landed beside what it is worth. */
function WorthBar({ listing, worth }: { listing: Listing; worth: Worth }) {
  const value = Number(worth.worth);
  const landed = Number(listing.landed_cost ?? 0);
  if (value <= 0) return null;
  const whole = Math.max(value, landed);
  return (
    <div className="flex flex-col gap-1 text-xs" title={worth.reason}>
      <div aria-hidden="true" className="flex h-1.5 gap-0.5 overflow-hidden rounded-full">
        <span
          className="bg-faint"
          style={{ width: `${(Math.min(value, landed) / whole) * 100}%` }}
        />
        <span
          className={clsx(
            "flex-1",
            listing.landed_cost === null
              ? "bg-sunken"
              : value >= landed
                ? "bg-success"
                : "bg-danger",
          )}
        />
      </div>
      {/* What is to spare, or too much, stands in the strip below. */}
      <p className="text-muted tabular-nums">
        worth about {formatMoney(worth.worth, SITE_CURRENCY)} to you
      </p>
    </div>
  );
}

const strips: Partial<Record<Tone, string>> = {
  success: "bg-success-tint text-success",
  warning: "bg-warning-tint text-warning",
  neutral: "bg-sunken text-ink",
};
const marks = { success: Check, warning: CircleHelp, neutral: X };

/** Whether it is worth its price; of what is over, its batch or the way to it. */
function Foot(props: {
  listing: Listing;
  worth: Worth | undefined;
  now: number;
  actions: ListingActions;
}) {
  const { listing, worth, now, actions } = props;
  if (listing.batch_id !== null) {
    return (
      <Link
        to={pathTo("batches", { batch: listing.batch_id })}
        className="flex items-center gap-1.5 border-line border-t px-4 py-2.5 text-accent-ink text-sm underline"
      >
        <Boxes aria-hidden="true" className="size-4 shrink-0" />
        Batch {listing.batch_name}
      </Link>
    );
  }
  if (isOver(listing, now)) {
    return (
      <div className="border-line border-t px-4 py-2">
        <Button size="sm" icon={Boxes} onClick={() => actions.open("won", listing)}>
          Won: create a batch
        </Button>
      </div>
    );
  }
  const verdict = verdictOf(listing, worth);
  const Mark = marks[verdict.tone];
  return (
    <p
      title={worth?.reason}
      className={clsx(
        "flex flex-wrap items-center justify-between gap-x-3 px-4 py-2.5 text-sm",
        strips[verdict.tone],
      )}
    >
      <span className="inline-flex items-center gap-1.5 font-semibold">
        <Mark aria-hidden="true" className="size-4 shrink-0" />
        {verdict.text}
      </span>
      <span className="text-xs tabular-nums">{verdict.detail}</span>
    </p>
  );
}
