import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import {
  type CatalogItem,
  catalogQueries,
  type SeenOf,
  stockQueries,
} from "@/features/catalog/public";
import type { ItemType } from "@/shared/lib/itemTypes";
import { useDebounced } from "@/shared/lib/useDebounced";
import type { Condition } from "../model";
import { type Card, searchText } from "./card";

/** As many as there are keys. */
export const CANDIDATES = 5;

/** After this time the page says that the search is slow. */
const SLOW_MS = 2000;

export type Candidates = {
  /** `settled`: the list belongs to the typed text. */
  state: "idle" | "searching" | "settled" | "failed";
  items: readonly CatalogItem[];
  isSlow: boolean;
  error: unknown;
  tryAgain: () => void;
};

const NONE: readonly CatalogItem[] = [];

/**
 * The matches of the typed text, searched after a pause in typing or on Enter. Earlier matches stay
 * visible meanwhile. `type` limits them to one item type (a link names one).
 */
export function useCandidates(card: Card, type: ItemType | null, seen: SeenOf | null): Candidates {
  const typed = searchText(card);
  const rested = useDebounced(typed);
  const text = card.taken ? typed : rested;
  const query = useQuery({
    ...catalogQueries.search({ text, type, limit: CANDIDATES, seen }),
    // What was found for "300" is worth seeing while "3001" is searched; for "3023" it is not.
    placeholderData: (previous, before) => {
      const asked = before?.queryKey[2];
      const isNear = typeof asked === "object" && areNear(asked.text, typed);
      return isNear ? previous : undefined;
    },
  });

  const pictured = useMemo(() => card.seen && settledOn(card.seen), [card.seen]);
  const settled = typed === text && query.isSuccess && !query.isPlaceholderData;
  const searching = typed !== "" && !settled && !(query.isError && typed === text);
  const items = areNear(text, typed) ? (query.data?.data ?? NONE) : NONE;
  const isSlow = useLasting(searching && query.isFetching, SLOW_MS);
  if (pictured) return pictured;
  return {
    state: typed === "" ? "idle" : settled ? "settled" : searching ? "searching" : "failed",
    items,
    isSlow,
    error: query.error,
    tryAgain: query.refetch,
  };
}

/** Recognised items need no search. */
function settledOn(items: readonly CatalogItem[]): Candidates {
  return { state: "settled", items, isSlow: false, error: null, tryAgain: () => undefined };
}

/** Whether one text continues the other. An empty text continues nothing. */
function areNear(a: string, b: string): boolean {
  return a !== "" && b !== "" && (a.startsWith(b) || b.startsWith(a));
}

/** Whether `on` has been true for `ms`. */
function useLasting(on: boolean, ms: number): boolean {
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!on) return;
    const timer = setTimeout(() => setLasting(true), ms);
    return () => {
      clearTimeout(timer);
      setLasting(false);
    };
  }, [on, ms]);
  return lasting;
}

/**
 * Prefetches the card's data for the next two matches, once the first one has loaded: earlier
 * requests would only delay it.
 */
export function usePrefetchedMatches(ahead: {
  items: readonly CatalogItem[];
  /** The likely lots of these matches, if a picture showed them. */
  lotIds: readonly number[];
  condition: Condition;
  near: string;
  ready: boolean;
}): void {
  const { items, lotIds, condition, near, ready } = ahead;
  const client = useQueryClient();
  const fetch = useEffectEvent(() => {
    for (const item of items.slice(1, 3)) {
      void client.prefetchQuery(catalogQueries.lots(item.id, condition));
    }
    for (const lotId of lotIds) {
      void client.prefetchQuery(stockQueries.destinations(lotId, condition, 1, near));
    }
  });
  const fetched = useRef<readonly CatalogItem[]>(NONE);
  useEffect(() => {
    // Once for these matches: a new quantity of the first one does not affect the others.
    if (!ready || fetched.current === items) return;
    fetched.current = items;
    fetch();
  }, [ready, items]);
}
