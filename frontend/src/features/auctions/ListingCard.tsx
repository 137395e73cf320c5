import { Boxes, ExternalLink, Eye, EyeOff, NotebookPen, RefreshCw, Truck } from "lucide-react";
import { Link } from "react-router-dom";
import {
  formatAgo,
  formatCount,
  formatDateTime,
  formatMoney,
  formatWeight,
} from "@/shared/lib/format";
import { Badge } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { Menu } from "@/shared/ui/Menu";
import { ListingPicture } from "./ListingPicture";
import type { Listing, Worth } from "./model";
import { isOver, isUrgent, remaining, SITE_CURRENCY, statusTones } from "./rules";
import { Sensible } from "./Sensible";
import type { ListingActions } from "./useListingActions";

/** One listing: what it costs on the table, how long it lasts, and what can be done about it. */
export function ListingCard(props: {
  listing: Listing;
  now: number;
  actions: ListingActions;
  /** Up to where a bid makes sense, and why; none where nothing is known to reckon it by. */
  worth?: Worth | undefined;
}) {
  const { listing, now, actions, worth } = props;
  const [rate] = listing.shipping_rates;
  const left = remaining(listing.end_time, now);
  const isWatched = listing.watch === "watching";

  return (
    <article
      aria-label={listing.title}
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-3 shadow-card"
    >
      <div className="flex gap-3">
        <ListingPicture src={listing.image_url} />
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <h2 className="line-clamp-3 break-words font-medium text-sm">{listing.title}</h2>
          <p className="flex flex-wrap items-center gap-1.5 text-muted text-xs">
            <Badge tone={statusTones[listing.status]}>{listing.status}</Badge>
            {listing.is_pickup_only && <Badge tone="warning">pickup only</Badge>}
            <span className="min-w-0 break-words">
              {[listing.seller, listing.location].filter(Boolean).join(", ")}
            </span>
          </p>
        </div>
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-sm">
        <Fact label={listing.is_auction ? "Current price" : "Price"}>
          {formatMoney(listing.current_price, SITE_CURRENCY)}
          <span className="ml-1 text-muted text-xs">
            {formatCount(listing.bid_count)} {listing.bid_count === 1 ? "bid" : "bids"}
          </span>
        </Fact>
        {listing.has_buy_it_now && (
          <Fact label="Buy it now">{formatMoney(listing.buy_it_now_price, SITE_CURRENCY)}</Fact>
        )}
        <Fact label="Ends">
          <time
            dateTime={listing.end_time ?? undefined}
            title={formatDateTime(listing.end_time)}
            className={isUrgent(listing.end_time, now) ? "font-medium text-danger" : undefined}
          >
            {left || "not told"}
          </time>
        </Fact>
        <Fact label="Shipping">
          {rate ? (
            <span
              title={`${rate.method}, ${rate.calculatedAt ? formatDateTime(rate.calculatedAt) : "entered"}`}
            >
              {formatMoney(rate.cost, SITE_CURRENCY)}
              {listing.handling_cost !== null && (
                <span className="ml-1 text-muted text-xs">
                  + {formatMoney(listing.handling_cost, SITE_CURRENCY)} handling
                </span>
              )}
            </span>
          ) : (
            <span className="text-muted">unknown</span>
          )}
        </Fact>
        <Fact label="Landed cost">
          {listing.landed_cost === null ? (
            <span className="text-muted">–</span>
          ) : (
            <strong className="font-semibold">
              {formatMoney(listing.landed_cost, SITE_CURRENCY)}
            </strong>
          )}
        </Fact>
        <Fact label="Weight">{formatWeight(listing.weight_grams)}</Fact>
        {listing.landed_per_kg !== null && (
          <Fact label="Landed per kg">{formatMoney(listing.landed_per_kg, SITE_CURRENCY)}</Fact>
        )}
        {worth && !isOver(listing, now) && (
          <Fact label="Sensible up to">
            <Sensible worth={worth} />
          </Fact>
        )}
        {listing.my_bid !== null && (
          <Fact label="My bid">{formatMoney(listing.my_bid, SITE_CURRENCY)}</Fact>
        )}
        {listing.max_bid !== null && (
          <Fact label="Never above">{formatMoney(listing.max_bid, SITE_CURRENCY)}</Fact>
        )}
      </dl>
      {listing.batch_id !== null ? (
        <Link
          to={`/app/batches?batch=${listing.batch_id}`}
          className="inline-flex items-center gap-1.5 self-start text-accent-ink text-sm underline"
        >
          <Boxes aria-hidden="true" className="size-4 shrink-0" />
          Batch {listing.batch_name}
        </Link>
      ) : (
        isOver(listing, now) && (
          <Button
            variant={listing.outcome === "won" ? "primary" : "secondary"}
            icon={<Boxes aria-hidden="true" className="size-4" />}
            className="self-start"
            onClick={() => actions.open("won", listing)}
          >
            Won: make a batch
          </Button>
        )
      )}
      {listing.note && <p className="break-words text-muted text-xs">{listing.note}</p>}
      <div className="mt-auto flex flex-wrap items-center gap-1.5">
        <Button
          size="sm"
          icon={<RefreshCw aria-hidden="true" className="size-4" />}
          loading={actions.isAsking(listing.id, "refresh")}
          disabledReason={actions.whyNotAsk(listing, "refresh")}
          onClick={() => actions.ask(listing, "refresh")}
        >
          Refresh
        </Button>
        <Button
          size="sm"
          icon={<Truck aria-hidden="true" className="size-4" />}
          loading={actions.isAsking(listing.id, "shipping")}
          disabledReason={actions.whyNotAsk(listing, "shipping")}
          onClick={() => actions.ask(listing, "shipping")}
        >
          Calculate shipping
        </Button>
        <IconButton
          label={isWatched ? "Stop watching" : "Watch"}
          icon={
            isWatched ? (
              <EyeOff aria-hidden="true" className="size-4" />
            ) : (
              <Eye aria-hidden="true" className="size-4" />
            )
          }
          once
          onClick={() => actions.watch(listing, isWatched ? "" : "watching")}
        />
        <IconButton
          label="My bid and note"
          icon={<NotebookPen aria-hidden="true" className="size-4" />}
          onClick={() => actions.open("decision", listing, worth)}
        />
        {listing.listing_url && (
          <a
            href={listing.listing_url}
            target="_blank"
            rel="noreferrer noopener"
            className="inline-flex items-center gap-1 rounded-control px-2 py-1 text-accent-ink text-sm underline"
          >
            <ExternalLink aria-hidden="true" className="size-4" />
            Open listing
          </a>
        )}
        <Menu
          trigger={
            <Button size="sm" variant="ghost">
              More
            </Button>
          }
          entries={actions.lesserEntries(listing)}
        />
        {listing.checkedAt && (
          <span className="ml-auto text-muted text-xs">
            as of {formatAgo(listing.checkedAt, now)}
          </span>
        )}
      </div>
    </article>
  );
}

function Fact(props: { label: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{props.label}</dt>
      <dd className="break-words tabular-nums">{props.children}</dd>
    </div>
  );
}
