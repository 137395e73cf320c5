import { Boxes, ExternalLink, Eye, EyeOff, NotebookPen, RefreshCw, Truck } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import {
  formatAgo,
  formatCount,
  formatDateTime,
  formatMoney,
  formatWeight,
} from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { Badge } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Menu } from "@/shared/ui/Menu";
import { toast } from "@/shared/ui/toast";
import { ListingPicture } from "./ListingPicture";
import type { Listing, ListingStatus, Worth } from "./model";
import { useAsk, useDecide, useDeleteListing } from "./mutations";
import { isOver, isUrgent, remaining } from "./rules";
import { askForAlerts } from "./useEndAlerts";

const WonDialog = lazyPart(() => import("./WonDialog").then((m) => m.WonDialog));
const DecisionDialog = lazyPart(() => import("./DecisionDialog").then((m) => m.DecisionDialog));

const USD = "USD";
const tones: Record<ListingStatus, "neutral" | "info" | "success" | "warning" | "danger"> = {
  open: "neutral",
  watching: "info",
  rejected: "neutral",
  leading: "success",
  outbid: "warning",
  ended: "neutral",
  won: "success",
  lost: "danger",
};

/** One listing: what it costs on the table, how long it lasts, and what can be done about it. */
export function ListingCard(props: {
  listing: Listing;
  now: number;
  canAsk: boolean;
  /** Up to where a bid makes sense, and why; none where nothing is known to reckon it by. */
  worth?: Worth | undefined;
}) {
  const { listing, now, canAsk, worth } = props;
  const [opened, setOpened] = useState<"decision" | "won" | null>(null);
  const refresh = useAsk(listing, "refresh");
  const shipping = useAsk(listing, "shipping");
  const decide = useDecide(listing);
  const remove = useDeleteListing();
  const [rate] = listing.shipping_rates;
  const left = remaining(listing.end_time, now);
  const isOfSite = listing.external_id !== "";
  const whyNot =
    (!isOfSite && "Entered by hand: the site does not know it") ||
    (!canAsk && "The auction site is not asked by this installation");
  const say = (watch: Listing["watch"]) => {
    const undo = () => decide.mutateAsync({ watch: listing.watch });
    if (watch === "watching") askForAlerts();
    decide.mutate(
      { watch },
      {
        onSuccess: () => {
          if (watch === "rejected")
            toast.success("Rejected: hidden from the list", {
              action: { label: "Undo", run: undo },
            });
        },
        onError: (error) => toast.error(problemText(error)),
      },
    );
  };

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
            <Badge tone={tones[listing.status]}>{listing.status}</Badge>
            {listing.is_pickup_only && <Badge tone="warning">pickup only</Badge>}
            <span className="min-w-0 break-words">
              {[listing.seller, listing.location].filter(Boolean).join(", ")}
            </span>
          </p>
        </div>
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-sm">
        <Fact label={listing.is_auction ? "Current price" : "Price"}>
          {formatMoney(listing.current_price, USD)}
          <span className="ml-1 text-muted text-xs">
            {formatCount(listing.bid_count)} {listing.bid_count === 1 ? "bid" : "bids"}
          </span>
        </Fact>
        {listing.has_buy_it_now && (
          <Fact label="Buy it now">{formatMoney(listing.buy_it_now_price, USD)}</Fact>
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
            <span title={`${rate.method}, ${rate.time ? formatDateTime(rate.time) : "entered"}`}>
              {formatMoney(rate.cost, USD)}
              {listing.handling_cost !== null && (
                <span className="ml-1 text-muted text-xs">
                  + {formatMoney(listing.handling_cost, USD)} handling
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
            <strong className="font-semibold">{formatMoney(listing.landed_cost, USD)}</strong>
          )}
        </Fact>
        <Fact label="Weight">{formatWeight(listing.weight_grams)}</Fact>
        {listing.landed_per_kg !== null && (
          <Fact label="Landed per kg">{formatMoney(listing.landed_per_kg, USD)}</Fact>
        )}
        {worth && !isOver(listing, now) && (
          <Fact label="Sensible up to">
            <span title={worth.reason}>{sensible(worth)}</span>
          </Fact>
        )}
        {listing.my_bid !== null && <Fact label="My bid">{formatMoney(listing.my_bid, USD)}</Fact>}
        {listing.max_bid !== null && (
          <Fact label="Never above">{formatMoney(listing.max_bid, USD)}</Fact>
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
            onClick={() => setOpened("won")}
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
          loading={refresh.isPending}
          disabledReason={whyNot}
          onClick={() => refresh.mutate()}
        >
          Refresh
        </Button>
        <Button
          size="sm"
          icon={<Truck aria-hidden="true" className="size-4" />}
          loading={shipping.isPending}
          disabledReason={whyNot}
          onClick={() => shipping.mutate()}
        >
          Shipping
        </Button>
        <IconButton
          label={listing.watch === "watching" ? "Stop watching" : "Watch"}
          icon={
            listing.watch === "watching" ? (
              <EyeOff aria-hidden="true" className="size-4" />
            ) : (
              <Eye aria-hidden="true" className="size-4" />
            )
          }
          onClick={() => say(listing.watch === "watching" ? "" : "watching")}
        />
        <IconButton
          label="My bid and note"
          icon={<NotebookPen aria-hidden="true" className="size-4" />}
          onClick={() => setOpened("decision")}
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
          entries={[
            listing.watch === "rejected"
              ? { id: "restore", label: "Take back the rejection", run: () => say("") }
              : { id: "reject", label: "Reject", run: () => say("rejected") },
            {
              id: "delete",
              label: "Remove from my list",
              danger: true,
              disabledReason:
                isOfSite &&
                listing.watch !== "rejected" &&
                "Reject it: a search would find it again",
              run: () =>
                remove.mutate(listing.id, {
                  onSuccess: () => toast.success("Removed"),
                  onError: (error) => toast.error(problemText(error)),
                }),
            },
          ]}
        />
        {listing.checkedAt && (
          <span className="ml-auto text-muted text-xs">
            as of {formatAgo(listing.checkedAt, now)}
          </span>
        )}
      </div>
      {opened === "decision" && (
        <DecisionDialog listing={listing} worth={worth} onClose={() => setOpened(null)} />
      )}
      {opened === "won" && <WonDialog listing={listing} onClose={() => setOpened(null)} />}
    </article>
  );
}

function sensible({ highest_bid }: Worth) {
  if (highest_bid === null) return <span className="text-muted">needs shipping</span>;
  if (Number(highest_bid) === 0) return <span className="text-danger">no bid at all</span>;
  return <strong className="font-semibold">{formatMoney(highest_bid, USD)}</strong>;
}

function Fact(props: { label: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{props.label}</dt>
      <dd className="break-words tabular-nums">{props.children}</dd>
    </div>
  );
}
