import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { useUser } from "@/features/auth/public";
import { useClientState } from "@/shared/store/clientStore";
import { CardPages } from "@/shared/table/CardPages";
import type { TableState } from "@/shared/table/tableState";
import { Settled } from "@/shared/ui/Settled";
import { useSideQuery } from "@/shared/ui/sideQuery";
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
  return (
    // What they are worth comes after them, and makes cards taller.
    <Settled key={rows.length > 0 ? "listings" : "none"}>
      <CardPages
        table={table}
        query={listings}
        pageSize={PAGE_SIZE}
        what="listings"
        className="grid-cols-[repeat(auto-fill,minmax(min(100%,24rem),1fr))]"
        empty={empty}
      >
        {(listing) => (
          <Place key={listing.id} id={listing.id} onSeen={onSeen}>
            <ListingCard
              listing={listing}
              now={now}
              actions={actions}
              worth={worth.get(listing.id)}
            />
          </Place>
        )}
      </CardPages>
    </Settled>
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
