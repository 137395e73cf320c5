import { useQuery } from "@tanstack/react-query";
import { Gavel, LayoutGrid, Plus, RefreshCw, Rows3, Search } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useUser } from "@/features/auth/public";
import { ApiError } from "@/shared/api/errors";
import { formatAgo, formatDateTime } from "@/shared/lib/format";
import { useKeptChoice } from "@/shared/lib/useKeptChoice";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { CardPages } from "@/shared/table/CardPages";
import { type TableState, useTableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { Switch } from "@/shared/ui/Checkbox";
import { HeadActs } from "@/shared/ui/HeadActs";
import { lazyPart } from "@/shared/ui/lazyPart";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Settled } from "@/shared/ui/Settled";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState, Loading, LoadProblem, Notice } from "@/shared/ui/states";
import { FilterBar } from "./FilterBar";
import { ListingCard } from "./ListingCard";
import { type AuctionSite, LISTING_FILTERS, type Listing, type SavedSearch } from "./model";
import { useAskQuietly, useRefreshAll } from "./mutations";
import { auctionQueries, LISTINGS, PAGE_SIZE, worthById } from "./queries";
import { countdown } from "./rules";
import { useEndAlerts } from "./useEndAlerts";
import { type ListingActions, useListingActions } from "./useListingActions";
import { useNow } from "./useNow";
import { noteVisit } from "./visits";

const SearchesDialog = lazyPart(() => import("./SearchesDialog").then((m) => m.SearchesDialog));
const AddListingDialog = lazyPart(() =>
  import("./AddListingDialog").then((m) => m.AddListingDialog),
);
const ListingTable = lazyPart(
  () => import("./ListingTable").then((m) => m.ListingTable),
  <Loading />,
);

type BuyDialog = "searches" | "add";

/** Auction listings with what each costs on the table. */
export function BuyLegoPage() {
  const [opened, setOpened] = useState<BuyDialog | null>(null);
  const view = useKeptChoice("auctionView", views, "gallery");
  const [lastVisit] = useState(() => noteVisit(Date.now()));
  const table = useTableState(LISTINGS, {
    filters: LISTING_FILTERS,
    ordering: "end_time",
  });
  const onlyMyBids = useClientState("options.showOnlyMyBids");
  const site = useQuery(auctionQueries.site());
  const searches = useQuery(auctionQueries.searches());
  const ending = useQuery(auctionQueries.endingSoon());
  const refreshAll = useRefreshAll();
  const now = useNow();
  const canAsk = site.data?.is_on ?? false;
  const actions = useListingActions(canAsk);
  const dueAt = useUnaskedRefresh(canAsk, searches.data ?? NONE, refreshAll.mutate);
  useEndAlerts(ending.data ?? NONE);
  useEffect(() => () => void noteVisit(Date.now()), []);
  const whyNoSite = !site.data && (site.error ? "It could not be loaded" : "Loading");
  const empty = <NoListings isNarrowed={table.isNarrowed || onlyMyBids} onAdd={setOpened} />;
  return (
    <Page wide={view.value === "table"}>
      <PageHeader
        title="Buy LEGO"
        actions={
          <>
            <HeadActs
              acts={[
                {
                  id: "refresh",
                  label: "Refresh all",
                  icon: RefreshCw,
                  disabledReason:
                    (!canAsk && (whyNoSite || "Not connected to the auction site")) ||
                    (refreshAll.isPending && "Refreshing"),
                  run: () => refreshAll.mutate({ isUnasked: false }),
                },
                {
                  id: "searches",
                  label: "Saved searches",
                  icon: Search,
                  disabledReason: whyNoSite,
                  run: () => setOpened("searches"),
                },
              ]}
            />
            <Button variant="primary" icon={Plus} onClick={() => setOpened("add")}>
              Add listing
            </Button>
          </>
        }
      />
      <div className="flex flex-col gap-4">
        <LoadProblem query={site} what="The auction site's state" />
        <LoadProblem query={searches} what="Your saved searches" />
        <LoadProblem query={ending} what="What ends soon" />
        <FilterBar table={table} lastVisit={lastVisit} withOrdering={view.value === "gallery"}>
          <AutoRefresh dueAt={dueAt} now={now} />
          <SegmentedControl
            label="Shown as"
            value={view.value}
            onChange={(chosen) => {
              view.onChange(chosen);
              table.setPageIndex(0);
            }}
            options={views}
          />
        </FilterBar>
        {site.data && <SiteNotice site={site.data} searches={searches.data ?? NONE} now={now} />}
        {/* The notice above would move them. */}
        <div className={site.isPending ? "invisible" : undefined}>
          {view.value === "gallery" ? (
            <ListingGallery {...{ table, now, actions, canAsk, empty }} />
          ) : (
            <ListingTable table={table} actions={actions} empty={empty} />
          )}
        </div>
      </div>
      {actions.dialogs}
      {opened === "searches" && site.data && (
        <SearchesDialog
          site={site.data}
          onSaved={() => refreshAll.mutate({ isUnasked: true })}
          onClose={() => setOpened(null)}
        />
      )}
      {opened === "add" && <AddListingDialog canAsk={canAsk} onClose={() => setOpened(null)} />}
    </Page>
  );
}

/** Refreshes by itself: as often as is set, and once for a search that was never run. */
function useUnaskedRefresh(
  canAsk: boolean,
  searches: readonly SavedSearch[],
  refresh: (how: { isUnasked: boolean }) => void,
): number | null {
  const isAuto = useClientState("options.auctionAutoRefresh");
  const interval = useClientState("options.auctionAutoRefreshInterval");
  const dueAt = useAutoRefresh(isAuto && canAsk, interval, () => refresh({ isUnasked: true }));
  const isNew = canAsk && searches.some((one) => one.is_active && !one.runAt);
  const begun = useRef(false);
  useEffect(() => {
    if (!isNew || begun.current) return;
    begun.current = true;
    refresh({ isUnasked: true });
  }, [isNew, refresh]);
  return dueAt;
}

function AutoRefresh({ dueAt, now }: { dueAt: number | null; now: number }) {
  return (
    <Switch
      label="Auto-refresh"
      checked={useClientState("options.auctionAutoRefresh")}
      onChange={(on) => clientStore.set("options.auctionAutoRefresh", on)}
      {...(dueAt !== null && { hint: `Next in ${countdown(dueAt, now)}` })}
    />
  );
}

function NoListings(props: { isNarrowed: boolean; onAdd: (how: BuyDialog) => void }) {
  const { isNarrowed, onAdd } = props;
  return (
    <EmptyState
      icon={Gavel}
      title={isNarrowed ? "No listing fits" : "No listings"}
      actions={
        <>
          <Button onClick={() => onAdd("searches")}>Add a saved search</Button>
          <Button onClick={() => onAdd("add")}>Paste a listing link</Button>
        </>
      }
    >
      {isNarrowed ? "Remove a filter to see more." : "Add a saved search or paste a listing link."}
    </EmptyState>
  );
}

const NONE: never[] = [];

const views = {
  gallery: (
    <>
      <LayoutGrid aria-hidden="true" className="size-4" />
      Cards
    </>
  ),
  table: (
    <>
      <Rows3 aria-hidden="true" className="size-4" />
      Table
    </>
  ),
};

/**
 * Calls `refresh` each `interval` ms while `isOn` and the page is in sight; returns when it is
 * due next, null when off. What fell due while hidden happens once, when the page is seen again.
 */
function useAutoRefresh(isOn: boolean, interval: number, refresh: () => void) {
  const latest = useRef(refresh);
  latest.current = refresh;
  const [dueAt, setDueAt] = useState<number | null>(null);

  useEffect(() => {
    if (!isOn) {
      setDueAt(null);
      return;
    }
    let due = Date.now() + interval;
    setDueAt(due);
    const check = () => {
      if (document.hidden || Date.now() < due) return;
      due = Date.now() + interval;
      setDueAt(due);
      latest.current();
    };
    const timer = setInterval(check, 1000);
    document.addEventListener("visibilitychange", check);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", check);
    };
  }, [isOn, interval]);

  return dueAt;
}

/** Listings as cards with their pictures, a page at a time. */
function ListingGallery(props: {
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

/** Where the listings come from, and how old they are. */
function SiteNotice(props: { site: AuctionSite; searches: readonly SavedSearch[]; now: number }) {
  const { site, searches, now } = props;
  if (site.haltedUntil) {
    return (
      <Notice tone="warning" title={`${site.name} is paused`}>
        Until {formatDateTime(site.haltedUntil)}: {site.halted_because}. The listings stay as they
        are.
      </Notice>
    );
  }
  return (
    <>
      <Unanswered site={site} searches={searches} now={now} />
      <p className="text-muted text-sm">
        {site.is_demo
          ? `Demo listings from a simulator of ${site.name}. Nothing here can be bought.`
          : site.is_on
            ? `Listings of ${site.name}. Its terms forbid automated use without consent; the operator switched the connection on and is responsible for it. `
            : `Not connected to ${site.name}: its terms forbid automated use without its consent. Add listings by hand, or ask the operator. `}
        {!site.is_demo && "Bids are placed at the site, never from here."}
      </p>
    </>
  );
}

/** The searches that the site did not answer, and how old what is shown is. */
function Unanswered(props: { site: AuctionSite; searches: readonly SavedSearch[]; now: number }) {
  const failed = props.searches.filter(({ is_active, problem }) => is_active && problem !== "");
  const [first] = failed;
  if (!props.site.is_on || first === undefined) return null;
  const oldest = failed.map(({ runAt }) => runAt).sort()[0];
  return (
    <Notice tone="warning" title={`${props.site.name} could not be reached`}>
      {first.problem}{" "}
      {oldest
        ? `Results of “${failed.map(({ text }) => text).join("”, “")}” are from ${formatAgo(oldest, props.now)}.`
        : "There are no earlier results."}
    </Notice>
  );
}

const lacksShipping = ({ external_id, shipping_rates, is_pickup_only, outcome }: Listing) =>
  external_id !== "" && shipping_rates.length === 0 && !is_pickup_only && outcome === "";

/** Whether the site has no shipping cost for this one listing. */
const isOfOneListing = (error: Error | null) =>
  error instanceof ApiError && (error.status === 409 || error.status === 404);

/**
 * Asks what shipping costs for the listings that are in view: one after another, each once while
 * the page is open. Ends when the site does not answer. Returns what a listing calls when it comes
 * into view or leaves it.
 */
function useShippingInView(listings: readonly Listing[], isOn: boolean) {
  const [inView, setInView] = useState<ReadonlySet<number>>(new Set());
  const asked = useRef(new Set<number>());
  const { mutate, isPending, error } = useAskQuietly();
  const next = listings.find(
    (one) => inView.has(one.id) && lacksShipping(one) && !asked.current.has(one.id),
  )?.id;
  const isFree = isOn && !isPending && (!error || isOfOneListing(error));
  useEffect(() => {
    if (!isFree || next === undefined) return;
    asked.current.add(next);
    mutate({ id: next, question: "shipping" });
  }, [isFree, next, mutate]);

  return useCallback((id: number, isSeen: boolean) => {
    setInView((before) => {
      if (before.has(id) === isSeen) return before;
      const after = new Set(before);
      if (isSeen) after.add(id);
      else after.delete(id);
      return after;
    });
  }, []);
}
