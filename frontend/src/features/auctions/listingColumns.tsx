import type { ParamOf } from "@/shared/api/wire";
import { formatDateTime, formatMoney, formatWeight } from "@/shared/lib/format";
import type { Column } from "@/shared/table/column";
import { countColumn } from "@/shared/table/fieldColumns";
import { amountEdit, textEdit } from "@/shared/table/fieldEdits";
import { Badge } from "@/shared/ui/Badge";
import { Spinner } from "@/shared/ui/Spinner";
import { ListingPicture } from "./ListingPicture";
import type { WorthyListing } from "./model";
import { useIsAsking } from "./mutations";
import { isUrgent, remaining, SITE_CURRENCY, statusTones } from "./rules";
import { Sensible } from "./Sensible";
import { useNow } from "./useNow";

const money = (amount: string | null) =>
  amount === null ? "–" : formatMoney(amount, SITE_CURRENCY);
const plain = (amount: string | null) => (amount === null ? "" : String(Number(amount)));

const kindOf = (row: WorthyListing): string => {
  if (!row.is_auction) return "Buy it now";
  return row.has_buy_it_now ? "Auction, or buy it now" : "Auction";
};

/** How long it lasts, by the second; a spinner while the site is asked about it. */
function Left({ listing }: { listing: WorthyListing }) {
  const now = useNow();
  const isAsking = useIsAsking();
  const isAsked = isAsking(listing.id, "refresh") || isAsking(listing.id, "shipping");
  return (
    <span className="inline-flex items-center gap-1.5">
      {isAsked && <Spinner className="text-muted" />}
      <time
        dateTime={listing.end_time ?? undefined}
        title={formatDateTime(listing.end_time)}
        className={isUrgent(listing.end_time, now) ? "font-medium text-danger" : undefined}
      >
        {remaining(listing.end_time, now) || "not known"}
      </time>
    </span>
  );
}

export const listingColumns: readonly Column<WorthyListing, ParamOf<"auctionListings">>[] = [
  {
    id: "title",
    header: "Listing",
    width: 320,
    primary: true,
    hideable: false,
    text: (row) => row.title,
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-2.5">
        <ListingPicture src={row.image_url} size="sm" />
        {row.listing_url ? (
          <a
            href={row.listing_url}
            target="_blank"
            rel="noreferrer noopener"
            tabIndex={-1}
            title={row.title}
            className="truncate font-medium hover:text-accent-ink hover:underline"
          >
            {row.title}
          </a>
        ) : (
          <span title={row.title} className="truncate font-medium">
            {row.title}
          </span>
        )}
      </span>
    ),
  },
  {
    id: "status",
    header: "Status",
    width: 110,
    text: (row) => row.status,
    cell: (row) => <Badge tone={statusTones[row.status]}>{row.status}</Badge>,
  },
  {
    id: "left",
    header: "Time left",
    width: 110,
    sortBy: "end_time",
    text: (row) => row.time_remaining,
    cell: (row) => <Left listing={row} />,
  },
  {
    id: "price",
    header: "Price",
    width: 95,
    align: "end",
    sortBy: "current_price",
    cell: (row) => money(row.current_price),
  },
  countColumn("bid_count", "Bids", { id: "bids", width: 75, sortBy: "bid_count" }),
  {
    id: "shipping",
    header: "Shipping",
    width: 100,
    align: "end",
    text: (row) => plain(row.shipping_rates[0]?.cost ?? null),
    cell: (row) => {
      const [rate] = row.shipping_rates;
      return rate ? money(rate.cost) : <span className="text-muted">unknown</span>;
    },
  },
  {
    id: "landed",
    header: "Landed cost",
    width: 110,
    align: "end",
    sortBy: "landed_cost",
    text: (row) => plain(row.landed_cost),
    cell: (row) => <strong className="font-semibold">{money(row.landed_cost)}</strong>,
  },
  {
    id: "weight",
    header: "Weight",
    width: 95,
    align: "end",
    text: (row) => plain(row.weight_grams),
    cell: (row) => formatWeight(row.weight_grams),
  },
  {
    id: "perKg",
    header: "Per kg",
    width: 95,
    align: "end",
    sortBy: "landed_per_kg",
    cell: (row) => money(row.landed_per_kg),
  },
  {
    id: "sensible",
    header: "Sensible up to",
    width: 125,
    align: "end",
    text: (row) => plain(row.worth?.highest_bid ?? null),
    cell: (row) => (row.worth ? <Sensible worth={row.worth} /> : "–"),
  },
  {
    id: "myBid",
    header: "My bid",
    width: 90,
    align: "end",
    cell: (row) => money(row.my_bid),
    edit: amountEdit("my_bid", { places: 2 }),
  },
  {
    id: "maxBid",
    header: "Never above",
    width: 110,
    align: "end",
    cell: (row) => money(row.max_bid),
    edit: amountEdit("max_bid", { places: 2 }),
  },
  {
    id: "location",
    header: "Location",
    width: 150,
    cell: (row) => row.location || "–",
  },
  {
    id: "seller",
    header: "Seller",
    width: 170,
    text: (row) => row.seller,
    cell: (row) => <span title={row.seller}>{row.seller || "–"}</span>,
  },
  {
    id: "bidder",
    header: "Highest bidder",
    width: 130,
    cell: (row) => row.highest_bidder || "–",
  },
  {
    id: "note",
    header: "Note",
    width: 180,
    text: (row) => row.note,
    cell: (row) => (
      <span title={row.note} className="truncate text-muted">
        {row.note || "–"}
      </span>
    ),
    edit: textEdit("note", {
      lines: true,
      check: (text) => (text.length > 1000 ? "At most 1,000 characters." : null),
    }),
  },
  { id: "kind", header: "Kind", width: 150, cell: kindOf },
  {
    id: "buyNow",
    header: "Buy it now",
    width: 105,
    align: "end",
    cell: (row) => money(row.buy_it_now_price),
  },
  {
    id: "end",
    header: "Ends at",
    width: 165,
    sortBy: "end_time",
    text: (row) => row.end_time ?? "",
    cell: (row) => (row.end_time === null ? "not known" : formatDateTime(row.end_time)),
  },
  {
    id: "method",
    header: "Shipping by",
    width: 150,
    hidden: true,
    cell: (row) => row.shipping_rates[0]?.method ?? "–",
  },
  {
    id: "shippingAt",
    header: "Shipping as of",
    width: 165,
    hidden: true,
    text: (row) => row.shipping_rates[0]?.calculatedAt ?? "",
    cell: (row) => {
      const told = row.shipping_rates[0]?.calculatedAt;
      return told ? formatDateTime(told) : "–";
    },
  },
  {
    id: "handling",
    header: "Handling",
    width: 95,
    align: "end",
    hidden: true,
    cell: (row) => money(row.handling_cost),
  },
  {
    id: "updatedAt",
    header: "Last change",
    width: 165,
    hidden: true,
    text: (row) => row.updated_at,
    cell: (row) => <span className="text-muted">{formatDateTime(row.updated_at)}</span>,
  },
  {
    id: "checkedAt",
    header: "As of",
    width: 165,
    text: (row) => row.checkedAt ?? "",
    cell: (row) => (
      <span className="text-muted">
        {row.checkedAt ? formatDateTime(row.checkedAt) : "entered"}
      </span>
    ),
  },
];
