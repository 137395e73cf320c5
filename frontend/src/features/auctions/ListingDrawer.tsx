import { ExternalLink, NotebookPen, RefreshCw, Truck } from "lucide-react";
import type { ReactNode } from "react";
import { formatCount, formatDateTime, formatMoney, formatWeight } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Drawer } from "@/shared/ui/Dialog";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { ListingPicture } from "./ListingPicture";
import type { Listing, Worth } from "./model";
import { auctionQueries } from "./queries";
import { remaining, SITE_CURRENCY } from "./rules";
import { Sensible } from "./Sensible";
import { useNow } from "./useNow";

const money = (amount: string | null) =>
  amount === null ? null : formatMoney(amount, SITE_CURRENCY);

/** All that is known of a listing, and what can be asked about it. */
export function ListingDrawer(props: {
  listing: Listing;
  worth: Worth | undefined;
  isAsking: (question: "refresh" | "shipping") => boolean;
  whyNotAsk: (question: "refresh" | "shipping") => string | false;
  onAsk: (question: "refresh" | "shipping") => void;
  onDecide: () => void;
  onClose: () => void;
}) {
  const { worth, isAsking, whyNotAsk, onAsk } = props;
  const asked = useSideQuery(auctionQueries.listing(props.listing), "the listing as it is now");
  const listing = asked ?? props.listing;
  const [rate] = listing.shipping_rates;
  const facts: [string, ReactNode][] = [
    ["Status", listing.status],
    [listing.is_auction ? "Current price" : "Price", money(listing.current_price)],
    ["Bids", formatCount(listing.bid_count)],
    ["Buy it now", listing.has_buy_it_now ? money(listing.buy_it_now_price) : null],
    ["Ends", <Ends key="ends" listing={listing} />],
    ["Shipping", rate ? `${money(rate.cost)}, ${rate.method}` : "Not known"],
    ["Handling", money(listing.handling_cost)],
    ["Landed cost", money(listing.landed_cost)],
    ["Landed per kg", money(listing.landed_per_kg)],
    ["Weight", listing.weight_grams === null ? "Not known" : formatWeight(listing.weight_grams)],
    ["Sensible up to", worth && <Sensible key="sensible" worth={worth} />],
    ["My bid", money(listing.my_bid)],
    ["Never above", money(listing.max_bid)],
    ["Seller", listing.seller],
    ["Location", listing.location],
    ["Asked", listing.checkedAt && formatDateTime(listing.checkedAt)],
  ];
  return (
    <Drawer
      onClose={props.onClose}
      title={listing.title}
      holdsInput={false}
      footer={
        <>
          <Button
            icon={RefreshCw}
            loading={isAsking("refresh")}
            disabledReason={whyNotAsk("refresh")}
            onClick={() => onAsk("refresh")}
          >
            Refresh
          </Button>
          <Button
            icon={Truck}
            loading={isAsking("shipping")}
            disabledReason={whyNotAsk("shipping")}
            onClick={() => onAsk("shipping")}
          >
            Calculate shipping
          </Button>
          <Button variant="primary" icon={NotebookPen} onClick={props.onDecide}>
            My bid and note
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ListingPicture src={listing.image_url} size="wide" />
        {listing.listing_url && (
          <a
            href={listing.listing_url}
            target="_blank"
            rel="noreferrer noopener"
            className="inline-flex items-center gap-1.5 self-start text-accent-ink text-sm underline"
          >
            <ExternalLink aria-hidden="true" className="size-4" />
            Open listing
          </a>
        )}
        {worth && <p className="text-sm">{worth.reason}</p>}
        <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm">
          {facts.map(
            ([label, value]) =>
              value && (
                <div key={label} className="min-w-0">
                  <dt className="text-muted text-xs">{label}</dt>
                  <dd className="break-words tabular-nums">{value}</dd>
                </div>
              ),
          )}
        </dl>
        {listing.note && <p className="break-words text-sm">{listing.note}</p>}
        {listing.description && (
          <p className="whitespace-pre-line break-words text-muted text-sm">
            {listing.description}
          </p>
        )}
      </div>
    </Drawer>
  );
}

function Ends({ listing }: { listing: Listing }) {
  const now = useNow();
  const left = remaining(listing.end_time, now);
  return left ? `${left}, ${formatDateTime(listing.end_time)}` : "Not known";
}
