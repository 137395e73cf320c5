import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { useUser } from "@/features/auth/public";
import { formatCount } from "@/shared/lib/format";
import { useClientState } from "@/shared/store/clientStore";
import type { TableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { ErrorState, Loading } from "@/shared/ui/states";
import { ListingCard } from "./ListingCard";
import { auctionQueries, PAGE_SIZE, worthById } from "./queries";
import type { ListingActions } from "./useListingActions";
import { useShippingInView } from "./useShippingInView";

/** Listings as cards with their pictures, a page at a time. */
export function ListingGallery(props: {
  table: TableState;
  now: number;
  actions: ListingActions;
  canAsk: boolean;
  empty: ReactNode;
}) {
  const { table, now, actions, empty } = props;
  const zipCode = useUser()?.zip_code;
  const onlyMyBids = useClientState("options.showOnlyMyBids");
  const params = { ...table.params, page: table.pageIndex + 1, page_size: PAGE_SIZE };
  const listings = useQuery(auctionQueries.listings(params, onlyMyBids));
  const rows = listings.data?.data ?? NONE;
  const told = useSideQuery(auctionQueries.worth(rows), "what the listings are worth to you");
  const worth = useMemo(() => worthById(told), [told]);
  const onSeen = useShippingInView(rows, props.canAsk && Boolean(zipCode));
  if (listings.isPending) return <Loading />;
  return (
    <>
      {listings.isError && (
        <ErrorState error={listings.error} onRetry={() => void listings.refetch()} />
      )}
      {listings.data && rows.length === 0 && empty}
      {rows.length > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,24rem),1fr))] gap-4">
          {rows.map((listing) => (
            <Place key={listing.id} id={listing.id} onSeen={onSeen}>
              <ListingCard
                listing={listing}
                now={now}
                actions={actions}
                worth={worth.get(listing.id)}
              />
            </Place>
          ))}
        </ul>
      )}
      <Pages
        page={table.pageIndex + 1}
        total={listings.data?.pagination?.total_items ?? 0}
        onPage={(page) => table.setPageIndex(page - 1)}
      />
    </>
  );
}

const NONE: never[] = [];

/** The place of a card, which reports when it is scrolled into view. */
function Place(props: {
  id: number;
  onSeen: (id: number, isSeen: boolean) => void;
  children: ReactNode;
}) {
  const { id, onSeen } = props;
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry) onSeen(id, entry.isIntersecting);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [id, onSeen]);
  return (
    <li ref={place} className="grid">
      {props.children}
    </li>
  );
}

function Pages(props: { page: number; total: number; onPage: (page: number) => void }) {
  const { page, total, onPage } = props;
  const last = Math.ceil(total / PAGE_SIZE);
  if (last <= 1) return null;
  return (
    <nav
      aria-label="Pages of listings"
      className="flex flex-wrap items-center justify-end gap-2 text-sm"
    >
      <span className="text-muted">
        Page {formatCount(page)} of {formatCount(last)}, {formatCount(total)} listings
      </span>
      <Button
        size="sm"
        disabledReason={page <= 1 && "This is the first page"}
        onClick={() => onPage(page - 1)}
      >
        Previous
      </Button>
      <Button
        size="sm"
        disabledReason={page >= last && "This is the last page"}
        onClick={() => onPage(page + 1)}
      >
        Next
      </Button>
    </nav>
  );
}
