import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { SlidersHorizontal } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { useDebounced } from "@/shared/lib/useDebounced";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { Button } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Popover } from "@/shared/ui/Popover";
import { Settled } from "@/shared/ui/Settled";
import { ErrorState, Loading } from "@/shared/ui/states";
import { CatalogStart, LookedAtLast } from "./CatalogStart";
import { exactMatch } from "./exactMatch";
import { ItemNotFoundDialog, type SearchWay } from "./ItemNotFoundDialog";
import { ItemPanel } from "./ItemPanel";
import { LotChoices } from "./LotOptions";
import { type CatalogItem, type ItemKey, itemKeyOf } from "./model";
import { catalogQueries } from "./queries";
import { ResultList } from "./ResultList";
import { rememberItem } from "./recentItems";
import { SearchBar } from "./SearchBar";
import {
  type CatalogParams,
  itemOfKey,
  readCatalogParams,
  writeCatalogParams,
} from "./searchParams";

const AddCustomItem = lazyPart(() => import("./AddCustomItem").then((m) => m.AddCustomItem));

/** Results that are shown; a search that finds more wants another word. */
const RESULTS = 25;

type MissedPicture = { by: "image" | "webcam"; text: string };

/** What is typed while pictures are searched for: a number if there is a digit in one word. */
function typedBy(way: SearchWay, text: string): "number" | "name" {
  if (way !== "image") return way;
  return /^\S*\d\S*$/.test(text) ? "number" : "name";
}

/** Find an item by number or name, see its colours, add one to a batch. */
export function CatalogPage() {
  const field = useRef<HTMLInputElement>(null);
  const search = useTypedSearch();
  const { text, setText, found, change } = search;
  const { item, type } = search.params;
  const opening = useOpening(search);
  const missed = useMissed(search, opening.open, field);
  const isSearched = search.params.search !== "";

  return (
    <Page wide>
      <PageHeader
        title="Catalog"
        actions={
          <Popover
            label="Colour options"
            trigger={<Button icon={SlidersHorizontal}>Colour options</Button>}
          >
            <LotChoices />
          </Popover>
        }
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(18rem,26rem)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-3 lg:sticky lg:top-4">
          <SearchBar
            text={text}
            type={type}
            searching={text.trim() !== "" && !found.isCurrent && !found.query.isError}
            inputRef={field}
            onText={(next) => {
              missed.typed(null);
              setText(next);
            }}
            onType={(next) => change({ type: next })}
            onSubmit={missed.submit}
            onPick={({ type: kind, number }) => change({ item: `${kind}:${number}` }, false)}
            onMissed={(by, text) => missed.picture({ by, text })}
          />
          {isSearched && (
            // Beside each other there is room for both; below each other the open item comes first.
            <div className={clsx(opening.isInFront && "max-lg:hidden")}>
              <ResultList
                query={found.query}
                items={found.items}
                stale={!found.isCurrent}
                search={search.params.search}
                open={item}
                params={search.address}
                onOpen={opening.opened}
                onMissed={() => missed.typed(search.params.search)}
              />
            </div>
          )}
          {!isSearched && (
            <div className={clsx(item && "max-lg:hidden")}>
              <LookedAtLast />
            </div>
          )}
          {isSearched && opening.isInFront && (
            <Button className="self-start lg:hidden" onClick={() => change({ item: null }, false)}>
              Back to the results
            </Button>
          )}
        </div>
        <div
          className={clsx("min-w-0", (item ? !opening.isInFront : isSearched) && "max-lg:hidden")}
        >
          {item ? <OpenItem itemKey={item} /> : <CatalogStart />}
        </div>
      </div>
      {missed.dialogs}
    </Page>
  );
}

/** The text that is typed, the search of it in the address, and what was found. */
function useTypedSearch() {
  const [address, setAddress] = useSearchParams();
  const params = readCatalogParams(address);
  const { search, type } = params;
  const [text, setText] = useState(search);
  const rested = useDebounced(text.trim());
  const query = useQuery(catalogQueries.search({ text: search, type, limit: RESULTS }));

  const change = (changes: Partial<CatalogParams>, replace = true) =>
    setAddress((current) => writeCatalogParams(current, changes), { replace });
  // Going back changes the address, and the field follows; typing changes the field, and the
  // address follows when it rests.
  const [shownSearch, setShownSearch] = useState(search);
  if (search !== shownSearch) {
    setShownSearch(search);
    if (search !== rested) setText(search);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed goes out
  useEffect(() => {
    if (rested !== search) change({ search: rested });
  }, [rested]);

  const items = query.data?.data ?? [];
  const found = {
    query,
    items,
    isCurrent: text.trim() === search && query.isSuccess && !query.isPlaceholderData,
  };
  return { address, params, change, text, setText, found };
}

type Search = ReturnType<typeof useTypedSearch>;

/** Opens items: those that are chosen, and by itself the one that the search names exactly. */
function useOpening({ params: { search, item }, found, change }: Search) {
  /** The search that the open item came from: another search shows its results in front of it. */
  const [openedFrom, setOpenedFrom] = useState(search);
  /** The last search of which an item has opened by itself; "Back to the results" stays there. */
  const openedItself = useRef<string | null>(null);
  const opened = () => setOpenedFrom(search);
  const open = (one: CatalogItem, replace = false) => {
    opened();
    change({ item: itemKeyOf(one) }, replace);
  };
  const exact = found.isCurrent ? exactMatch(search, found.items) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each search
  useEffect(() => {
    if (!exact || openedItself.current === search) return;
    openedItself.current = search;
    if (item !== itemKeyOf(exact)) open(exact, true);
    else opened();
  }, [exact?.id, search]);
  const isInFront = item !== null && (openedFrom === search || search === "");
  return { open, opened, isInFront };
}

/** Enter, which may come before what it asks for, and the dialogs of a search that found nothing. */
function useMissed(
  { params: { search }, found, text, setText, change }: Search,
  open: (item: CatalogItem) => void,
  field: RefObject<HTMLInputElement | null>,
) {
  const { items, isCurrent } = found;
  /** The text that Enter asked for and nothing has yet: what is typed next is another question. */
  const [missed, setMissed] = useState<string | null>(null);
  const [missedPicture, setMissedPicture] = useState<MissedPicture | null>(null);
  const [custom, setCustom] = useState<string | null>(null);
  const searchType = useClientState("itemBeingProcessed.searchType");
  const submit = () => {
    const typed = text.trim();
    if (typed !== search) change({ search: typed });
    if (typed === search && isCurrent && items[0]) open(items[0]);
    else setMissed(typed || null);
  };
  const isEntered = missed !== null && missed === search && isCurrent;
  const entered = isEntered ? items[0] : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each Enter
  useEffect(() => {
    if (!entered) return;
    setMissed(null);
    open(entered);
  }, [entered?.id]);

  const forget = () => {
    setMissed(null);
    setMissedPicture(null);
  };
  // A turn later: the dialog that closes gives the focus back to where it was.
  const focus = () => setTimeout(() => field.current?.focus());
  const nothing = isEntered &&
    items.length === 0 && { by: typedBy(searchType, search), text: search };
  const told = missedPicture ?? (nothing || null);
  return {
    submit,
    typed: setMissed,
    picture: setMissedPicture,
    dialogs: (
      <>
        {told && (
          <ItemNotFoundDialog
            search={told.by}
            text={told.text}
            onClose={forget}
            onSearchBy={(way) => {
              forget();
              clientStore.set("itemBeingProcessed.searchType", way);
              focus();
            }}
            onRetype={(next) => {
              forget();
              setText(next);
              focus();
            }}
            onCustom={() => {
              setCustom(told.text);
              forget();
            }}
            onPick={(one) => {
              forget();
              open(one);
            }}
          />
        )}
        {custom !== null && <AddCustomItem text={custom} onClose={() => setCustom(null)} />}
      </>
    ),
  };
}

function OpenItem({ itemKey }: { itemKey: ItemKey }) {
  const { type, number } = itemOfKey(itemKey) ?? { type: "PART" as const, number: "" };
  const found = useQuery(catalogQueries.byNumber(type, number));
  const { data } = found;
  useEffect(() => {
    if (data) rememberItem({ type, number: data.item_number, name: data.item_name });
  }, [data, type]);

  if (found.isPending) return <Loading />;
  if (found.isError) return <ErrorState error={found.error} onRetry={found.refetch} />;
  return data ? (
    <Settled key={data.id}>
      <ItemPanel item={data} />
    </Settled>
  ) : (
    <ErrorState
      title={`${number} is not in this catalogue`}
      error="Search for it by name, or check its number."
    />
  );
}
