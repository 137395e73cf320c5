import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { SlidersHorizontal } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { useDebounced } from "@/shared/lib/useDebounced";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Popover } from "@/shared/ui/Popover";
import { ErrorState, Loading } from "@/shared/ui/states";
import { CatalogStart } from "./CatalogStart";
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

const AddCustomItem = lazyPart(() =>
  import("./AddCustomItem").then((module) => module.AddCustomItem),
);

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
  const [params, setParams] = useSearchParams();
  const { search, item, type } = readCatalogParams(params);
  const [text, setText] = useState(search);
  /** The text that Enter asked for and nothing has yet: what is typed next is another question. */
  const [missed, setMissed] = useState<string | null>(null);
  const [custom, setCustom] = useState<string | null>(null);
  const [missedPicture, setMissedPicture] = useState<MissedPicture | null>(null);
  /** The search that the open item came from: another search shows its results in front of it. */
  const [openedFrom, setOpenedFrom] = useState(search);
  /** The last search of which an item has opened by itself; "Back to the results" stays there. */
  const openedItself = useRef<string | null>(null);
  const searchType = useClientState("itemBeingProcessed.searchType");
  const rested = useDebounced(text.trim());
  const results = useQuery(catalogQueries.search({ text: search, type, limit: RESULTS }));
  const field = useRef<HTMLInputElement>(null);

  const change = (changes: Partial<CatalogParams>, replace = true) =>
    setParams((current) => writeCatalogParams(current, changes), { replace });
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

  const items = results.data?.data ?? [];
  const isCurrent = text.trim() === search && results.isSuccess && !results.isPlaceholderData;
  const open = (found: CatalogItem, replace = false) => {
    setOpenedFrom(search);
    change({ item: itemKeyOf(found) }, replace);
  };
  const exact = isCurrent ? exactMatch(search, items) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each search
  useEffect(() => {
    if (!exact || openedItself.current === search) return;
    openedItself.current = search;
    if (item !== itemKeyOf(exact)) open(exact, true);
    else setOpenedFrom(search);
  }, [exact?.id, search]);
  const submit = () => {
    const typed = text.trim();
    if (typed !== search) change({ search: typed });
    if (typed === search && isCurrent && items[0]) open(items[0]);
    else setMissed(typed || null);
  };
  // Enter may come before what it asks for.
  const isInFront = item !== null && (openedFrom === search || search === "");
  const entered = missed !== null && missed === search && isCurrent ? items[0] : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each Enter
  useEffect(() => {
    if (!entered) return;
    setMissed(null);
    open(entered);
  }, [entered?.id]);
  const retype = (next: string) => {
    setMissed(null);
    setMissedPicture(null);
    setText(next);
    setTimeout(() => field.current?.focus());
  };
  const searchBy = (way: SearchWay) => {
    setMissed(null);
    setMissedPicture(null);
    clientStore.set("itemBeingProcessed.searchType", way);
    // A turn later: the dialog that closes gives the focus back to where it was.
    setTimeout(() => field.current?.focus());
  };

  return (
    <Page wide>
      <PageHeader
        title="Catalog"
        actions={
          <>
            <Popover
              label="Colour options"
              trigger={<Button icon={SlidersHorizontal}>Colour options</Button>}
            >
              <LotChoices />
            </Popover>
            <ButtonLink to="/app/stow-inventory" className="max-sm:hidden">
              Stow inventory
            </ButtonLink>
          </>
        }
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(18rem,26rem)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-3 lg:sticky lg:top-4">
          <SearchBar
            text={text}
            type={type}
            searching={text.trim() !== "" && !isCurrent && !results.isError}
            inputRef={field}
            onText={(next) => {
              setMissed(null);
              setText(next);
            }}
            onType={(next) => change({ type: next })}
            onSubmit={submit}
            onPick={({ type: kind, number }) => change({ item: `${kind}:${number}` }, false)}
            onMissed={(by, text) => setMissedPicture({ by, text })}
          />
          {search !== "" && (
            // Beside each other there is room for both; below each other the open item comes first.
            <div className={clsx(isInFront && "max-lg:hidden")}>
              <ResultList
                query={results}
                items={items}
                stale={!isCurrent}
                search={search}
                open={item}
                params={params}
                onOpen={() => setOpenedFrom(search)}
                onMissed={() => setMissed(search)}
              />
            </div>
          )}
          {search !== "" && isInFront && (
            <Button className="self-start lg:hidden" onClick={() => change({ item: null }, false)}>
              Back to the results
            </Button>
          )}
        </div>
        <div className={clsx("min-w-0", item && !isInFront && "max-lg:hidden")}>
          {item ? <OpenItem itemKey={item} /> : <CatalogStart onSearch={setText} />}
        </div>
      </div>
      {missedPicture && (
        <ItemNotFoundDialog
          search={missedPicture.by}
          text={missedPicture.text}
          onClose={() => setMissedPicture(null)}
          onSearchBy={searchBy}
          onRetype={retype}
          onCustom={() => {
            setCustom(missedPicture.text);
            setMissedPicture(null);
          }}
          onPick={(found) => {
            setMissedPicture(null);
            open(found);
          }}
        />
      )}
      {missed !== null && missed === search && isCurrent && items.length === 0 && (
        <ItemNotFoundDialog
          search={typedBy(searchType, search)}
          text={search}
          onClose={() => setMissed(null)}
          onSearchBy={searchBy}
          onRetype={retype}
          onCustom={() => {
            setCustom(search);
            setMissed(null);
          }}
          onPick={(found) => {
            setMissed(null);
            open(found);
          }}
        />
      )}
      {custom !== null && <AddCustomItem text={custom} onClose={() => setCustom(null)} />}
    </Page>
  );
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
    <ItemPanel key={data.id} item={data} />
  ) : (
    <ErrorState
      title={`${number} is not in this catalogue`}
      error="Search for it by name, or check its number."
    />
  );
}
