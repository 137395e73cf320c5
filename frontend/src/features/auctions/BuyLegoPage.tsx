import { useQuery } from "@tanstack/react-query";
import { Gavel, Plus, RefreshCw, Search } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { formatCount, formatDateTime } from "@/shared/lib/format";
import { useDebounced } from "@/shared/lib/useDebounced";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { Button } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { Checkbox, Switch } from "@/shared/ui/Checkbox";
import { Field, Input, Select } from "@/shared/ui/Field";
import { lazyPart } from "@/shared/ui/lazyPart";
import { EmptyState, ErrorState, Loading, Notice } from "@/shared/ui/states";
import { ListingCard } from "./ListingCard";
import type { AuctionSite, Listing, ListingFilters, Worth } from "./model";
import { useRefreshAll } from "./mutations";
import { auctionQueries, PAGE_SIZE } from "./queries";
import { countdown, worthReason } from "./rules";
import { useAutoRefresh } from "./useAutoRefresh";
import { useEndAlerts } from "./useEndAlerts";
import { useNow } from "./useNow";

const SearchesDialog = lazyPart(() => import("./SearchesDialog").then((m) => m.SearchesDialog));
const AddListingDialog = lazyPart(() =>
  import("./AddListingDialog").then((m) => m.AddListingDialog),
);

const START: ListingFilters = {
  search: "",
  ordering: "end_time",
  kind: "",
  within: "",
  show_ended: false,
  show_rejected: false,
  watch: false,
  page: 1,
};

/** Auction listings with what each costs on the table. */
export function BuyLegoPage() {
  const [filters, setFilters] = useState(START);
  const [opened, setOpened] = useState<"searches" | "add" | null>(null);
  const search = useDebounced(filters.search);
  const onlyMyBids = useClientState("options.showOnlyMyBids");
  const isAuto = useClientState("options.auctionAutoRefresh");
  const interval = useClientState("options.auctionAutoRefreshInterval");
  const site = useQuery(auctionQueries.site());
  const searches = useQuery(auctionQueries.searches());
  const listings = useQuery(auctionQueries.listings({ ...filters, search }, onlyMyBids));
  const refreshAll = useRefreshAll();
  const now = useNow();
  const canAsk = site.data?.is_on ?? false;
  const dueAt = useAutoRefresh(isAuto && canAsk, interval, () =>
    refreshAll.mutate({ isUnasked: true }),
  );
  const rows = listings.data?.data ?? NONE;
  const worth = useWorth(rows);
  const ending = useQuery(auctionQueries.endingSoon());
  useEndAlerts(ending.data ?? NONE, now);
  const change = (changes: Partial<ListingFilters>) =>
    setFilters((before) => ({ ...before, page: 1, ...changes }));

  // A search that was never run is run when the page is first seen.
  const isNew = canAsk && (searches.data ?? []).some((one) => one.is_active && !one.runAt);
  const begun = useRef(false);
  useEffect(() => {
    if (!isNew || begun.current) return;
    begun.current = true;
    refreshAll.mutate({ isUnasked: true });
  }, [isNew, refreshAll.mutate]);

  return (
    <Page>
      <PageHeader
        title="Buy LEGO"
        description="Auction listings of a charity seller, with what they cost landed. Bids are placed at the site, never from here."
        actions={
          <>
            <Button
              icon={<Search aria-hidden="true" className="size-4" />}
              disabledReason={!site.data && "Loading"}
              onClick={() => setOpened("searches")}
            >
              Saved searches
            </Button>
            <Button
              icon={<Plus aria-hidden="true" className="size-4" />}
              onClick={() => setOpened("add")}
            >
              Add listing
            </Button>
            <Button
              variant="primary"
              icon={<RefreshCw aria-hidden="true" className="size-4" />}
              loading={refreshAll.isPending}
              disabledReason={!canAsk && "The auction site is not asked by this installation"}
              onClick={() => refreshAll.mutate({ isUnasked: false })}
            >
              Refresh all
            </Button>
          </>
        }
      />
      <div className="flex flex-col gap-4">
        {site.data && <SiteNotice site={site.data} />}
        <div className="flex flex-wrap items-end gap-3">
          <div className="w-full sm:w-64">
            <Field label="Search listings" hideLabel>
              <Input
                type="search"
                placeholder="Search listings"
                value={filters.search}
                onChange={(event) => change({ search: event.target.value })}
              />
            </Field>
          </div>
          <Field label="Sort by" hideLabel>
            <Select
              value={filters.ordering}
              onChange={(event) => change({ ordering: event.target.value })}
              options={orderings}
            />
          </Field>
          <Field label="Kind" hideLabel>
            <Select
              value={filters.kind}
              onChange={(event) => change({ kind: event.target.value as ListingFilters["kind"] })}
              options={kinds}
            />
          </Field>
          <Field label="Ends within" hideLabel>
            <Select
              value={filters.within}
              onChange={(event) => change({ within: event.target.value })}
              options={ends}
            />
          </Field>
          <div className="flex w-full flex-wrap items-center gap-3">
            <Checkbox
              label="Show only my bids"
              checked={onlyMyBids}
              onChange={(event) => {
                clientStore.set("options.showOnlyMyBids", event.target.checked);
                change({});
              }}
            />
            <Checkbox
              label="Watched only"
              checked={filters.watch}
              onChange={(event) => change({ watch: event.target.checked })}
            />
            <Checkbox
              label="Rejected too"
              checked={filters.show_rejected}
              onChange={(event) => change({ show_rejected: event.target.checked })}
            />
            <Checkbox
              label="Ended too"
              checked={filters.show_ended}
              onChange={(event) => change({ show_ended: event.target.checked })}
            />
            <div className="ml-auto">
              <Switch
                label="Auto-refresh"
                checked={isAuto}
                onChange={(on) => clientStore.set("options.auctionAutoRefresh", on)}
                hint={dueAt === null ? "Off" : `Next in ${countdown(dueAt, now)}`}
              />
            </div>
          </div>
        </div>
        {listings.isPending && <Loading />}
        {listings.isError && (
          <ErrorState error={listings.error} onRetry={() => listings.refetch()} />
        )}
        {listings.data && rows.length === 0 && (
          <EmptyState
            icon={<Gavel aria-hidden="true" className="size-5" />}
            title={isNarrowed(filters, onlyMyBids) ? "No listing fits" : "No listings"}
            actions={
              <>
                <Button onClick={() => setOpened("searches")}>Add a saved search</Button>
                <Button onClick={() => setOpened("add")}>Paste a listing link</Button>
              </>
            }
          >
            {isNarrowed(filters, onlyMyBids)
              ? "Fewer conditions show more."
              : "Add a saved search or paste a listing link."}
          </EmptyState>
        )}
        {rows.length > 0 && (
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,21rem),1fr))] gap-4">
            {rows.map((listing) => (
              <li key={listing.id} className="grid">
                <ListingCard
                  listing={listing}
                  now={now}
                  canAsk={canAsk}
                  worth={worth.get(listing.id)}
                />
              </li>
            ))}
          </ul>
        )}
        <Pages
          page={filters.page}
          total={listings.data?.pagination?.total_items ?? 0}
          onPage={(page) => change({ page })}
        />
      </div>
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

const NONE: never[] = [];

const orderings = [
  { value: "end_time", label: "Ends first" },
  { value: "landed_per_kg", label: "Cheapest per kg" },
  { value: "landed_cost", label: "Cheapest landed" },
  { value: "current_price", label: "Lowest price" },
  { value: "-bid_count", label: "Most bids" },
  { value: "-created_at", label: "Newest here" },
];

const kinds = [
  { value: "", label: "Auctions and buy it now" },
  { value: "auction", label: "Auctions" },
  { value: "buy_it_now", label: "Buy it now" },
];

const ends = [
  { value: "", label: "Ends at any time" },
  { value: "1", label: "Ends within an hour" },
  { value: "24", label: "Ends within a day" },
  { value: "72", label: "Ends within 3 days" },
];

function isNarrowed(filters: ListingFilters, onlyMyBids: boolean): boolean {
  const { search, kind, within, watch } = filters;
  return search !== "" || kind !== "" || within !== "" || watch || onlyMyBids;
}

/** Of each listing on the page, up to where a bid makes sense. */
function useWorth(rows: readonly Listing[]): ReadonlyMap<number, Worth> {
  const { data } = useQuery(auctionQueries.worth(rows));
  return useMemo(() => {
    const found = new Map<number, Worth>();
    for (const one of data?.listings ?? NONE) {
      const basis = data?.[one.rests_on];
      if (basis) found.set(one.id, { ...one, reason: worthReason(one, basis) });
    }
    return found;
  }, [data]);
}

/** What the person must know of where the listings come from. */
function SiteNotice({ site }: { site: AuctionSite }) {
  if (site.haltedUntil) {
    return (
      <Notice tone="warning" title={`${site.name} is left alone`}>
        Until {formatDateTime(site.haltedUntil)}: {site.halted_because}. What is known stays.
      </Notice>
    );
  }
  if (site.is_demo) {
    return (
      <Notice tone="info" title="Demo listings">
        These come from a simulator of {site.name} that runs beside this app. Nothing here can be
        bought.
      </Notice>
    );
  }
  if (site.is_on) return null;
  return (
    <Notice tone="info" title={`${site.name} is not asked by this installation`}>
      The site’s terms forbid automated use without its consent. Type listings in, or ask the
      operator, who may switch the connection on.
    </Notice>
  );
}

function Pages(props: { page: number; total: number; onPage: (page: number) => void }) {
  const { page, total, onPage } = props;
  const last = Math.ceil(total / PAGE_SIZE);
  if (last <= 1) return null;
  return (
    <nav aria-label="Pages of listings" className="flex items-center justify-end gap-2 text-sm">
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
