/**
 * Adds typed ahead of the server: Enter, Enter and the next number, without looking at the page.
 * Each is looked up in the background by the same rules as the card, and becomes a row. Until then
 * it is at the top of the list, where `+`, `-` and undo change it.
 */

import {
  CancelledError,
  type FetchQueryOptions,
  type QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import {
  type CatalogItem,
  catalogQueries,
  meantColor,
  openColor,
  recentColors,
  rememberColor,
  type SeenOf,
} from "@/features/catalog/public";
import { locationQueries } from "@/features/locations/public";
import { marketplaceQueries } from "@/features/marketplace/public";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import type { ItemType } from "@/shared/lib/itemTypes";
import { createKeeper } from "@/shared/lib/keeper";
import { onPersonForgotten } from "@/shared/lib/person";
import { problemText } from "@/shared/lib/problem";
import { TRY_AGAIN_MS, waitsFor } from "@/shared/outbox/reach";
import { type Card, searchText } from "./card";
import { chosenColor, colorOptions, offeredColors } from "./choices";
import { colorViewOf, existingLotsQuery, viewOptionsNow } from "./colorView";
import type { BatchHead, Condition, Owned } from "./model";
import { chosenByPerson, plannedElsewhere, plansFor, withPlans } from "./plan";
import { stockQueries } from "./queries";
import { draftOf, lastBinName, withAdded } from "./session";
import { sitting } from "./sitting";
import { CANDIDATES } from "./useCandidates";

/** The state of the card when Enter was pressed. */
export type Ask = {
  card: Card;
  type: ItemType | null;
  condition: Condition;
  batch: BatchHead;
  stow: boolean;
  /** The colour and category seen on the picture, whose candidates were all wrong. */
  seen: SeenOf | null;
  /** The colour that was locked. */
  locked: number | null;
};

export type Lookup = {
  key: string;
  ask: Ask;
  quantity: number;
  /** In milliseconds. */
  askedAt: number;
  /** The server cannot be reached; the lookup is retried automatically. */
  waiting: boolean;
  /** Why it failed; the person decides what to do. */
  problem: string | null;
};

/** Newest first. */
const store = createStore<readonly Lookup[]>(() => []);
const keeper = createKeeper<readonly Lookup[]>("lookups");
store.subscribe((all) => keeper.keep(all.length === 0 ? null : all));
onPersonForgotten(() => {
  clearTimeout(timer);
  store.setState([], true);
});

/** Earlier adds become rows first. */
let queue: Promise<unknown> = Promise.resolve();
let timer: ReturnType<typeof setTimeout> | undefined;

export function lookUp(client: QueryClient, ask: Ask, now: number): void {
  const key = newIdempotencyKey();
  const quantity = ask.card.quantity;
  const lookup = { key, ask, quantity, askedAt: now, waiting: false, problem: null };
  store.setState((all) => [lookup, ...all], true);
  run(client, lookup);
}

function run(client: QueryClient, { key, ask }: Lookup): void {
  const found = resolve(client, ask).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  queue = queue.then(async () => settle(client, key, await found));
}

/** Continues the lookups from before a reload or of a closed tab. */
export async function resumeLookups(client: QueryClient): Promise<void> {
  const left = (await keeper.takeLeft()).flat();
  if (left.length === 0) return;
  store.setState((all) => [...all, ...left].toSorted((a, b) => b.askedAt - a.askedAt), true);
  for (const lookup of left.toReversed()) if (!lookup.problem) run(client, lookup);
}

/** Retries the lookups that wait for the server. */
export function retryLookups(client: QueryClient): void {
  clearTimeout(timer);
  // They are listed newest first and become rows in the order of the adds.
  const waiting = store.getState().filter((each) => each.waiting);
  for (const lookup of waiting.toReversed()) {
    change(lookup.key, { waiting: false });
    run(client, lookup);
  }
}

type Result = { answer: Awaited<ReturnType<typeof resolve>> } | { error: unknown };

function settle(client: QueryClient, key: string, result: Result): void {
  const lookup = store.getState().find((each) => each.key === key);
  if (!lookup) return; // undone meanwhile
  if ("error" in result) {
    const waiting = waitsFor(result.error) !== null;
    change(key, waiting ? { waiting } : { problem: problemText(result.error) });
    if (waiting) timer = setTimeout(() => retryLookups(client), TRY_AGAIN_MS);
    return;
  }
  const { draft, bin } = result.answer;
  drop(key);
  rememberColor(draft.colorId);
  const added = { key, draft, bin, quantity: lookup.quantity, stow: lookup.ask.stow };
  sitting.wish((session) => withAdded(session, added, lookup.askedAt));
}

/** What the card would have shown, or why there is nothing to show. */
async function resolve(client: QueryClient, { card, type, seen, condition, batch, locked }: Ask) {
  const text = searchText(card);
  const search = catalogQueries.search({ text, type, limit: CANDIDATES, seen });
  const items = card.seen ?? (await fetchSurely(client, search)).data;
  const item = items[card.candidate] ?? items[0];
  if (!item) throw new Error(`Nothing matches “${text}”.`);

  const session = () => sitting.store.getState();
  const fetched = await fetchColors(client, item, condition);
  const ranked = colorOptions(item, fetched, { recent: recentColors(), locked });
  const meant = meantColor(item, fetched.lots, locked);
  const view = await fetchView(client, { item, meant, batchId: batch.id, owned: fetched.owned });
  const offered = offeredColors(ranked, fetched.lots, view).options;
  const open = openColor(item, fetched.lots, locked);
  const color = chosenColor({ offered, ranked }, fetched.colors, card, open);
  if (!color && open) {
    throw new Error(`“${open}” may mean several colours of ${item.item_number}: choose one.`);
  }
  if (!color && open !== null) {
    throw new Error(`Which colour of ${item.item_number}? There are several: choose one.`);
  }
  if (!color) throw new Error(`No colour is known for ${item.item_number}: choose one.`);

  const destinations =
    color.lotId === null
      ? []
      : await fetchSurely(
          client,
          stockQueries.destinations(color.lotId, condition, card.quantity, lastBinName(session())),
        ).catch(() => []);
  const plans = plansFor(session(), color.lotId, condition);
  const ownId = plannedElsewhere(destinations, plans);
  const own = ownId === null ? [] : await fetchOwn(client, ownId);
  const best = withPlans([...destinations, ...own], plans, card.quantity).find(
    (each) => each.recommended,
  );
  const recommended = best ? { id: best.id, name: best.name } : null;
  const draft = draftOf({ batch, item, color, condition, price: card.price ?? color.price });
  return { draft, bin: card.bin ?? recommended };
}

async function fetchColors(client: QueryClient, item: CatalogItem, condition: Condition) {
  const [lots, owned, colors] = await Promise.all([
    fetchSurely(client, catalogQueries.lots(item.id, condition)),
    fetchSurely(client, stockQueries.owned(item.id)).catch(() => []),
    fetchSurely(client, catalogQueries.colors()).catch(() => []),
  ]);
  return { lots, owned, colors };
}

async function fetchView(
  client: QueryClient,
  given: { item: CatalogItem; meant: number | null; batchId: number; owned: readonly Owned[] },
) {
  const { item, meant, batchId, owned } = given;
  const options = viewOptionsNow();
  const query = existingLotsQuery(batchId, item.item_number, options);
  const [rule, existing] = await Promise.all([
    fetchSurely(client, marketplaceQueries.priceRule()).catch(() => undefined),
    query.enabled ? fetchSurely(client, query).catch(() => []) : [],
  ]);
  const session = sitting.store.getState();
  return colorViewOf({ meant, options, rule, owned, existing, session, batchId });
}

const fetchOwn = (client: QueryClient, id: number) =>
  fetchSurely(client, locationQueries.detail(id)).then(
    (location) => [chosenByPerson(location)],
    () => [],
  );

/** If the card unmounts, it may cancel this shared query: then retry once. */
async function fetchSurely<Data, Result, Key extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<Data, Error, Result, Key>,
): Promise<Result> {
  for (;;) {
    try {
      return await client.fetchQuery(query);
    } catch (error) {
      if (!(error instanceof CancelledError)) throw error;
    }
  }
}

function change(key: string, changes: Partial<Lookup>): void {
  store.setState(
    (all) => all.map((each) => (each.key === key ? { ...each, ...changes } : each)),
    true,
  );
}

function drop(key: string): void {
  store.setState((all) => all.filter((each) => each.key !== key), true);
}

/** The lookup that is newer than any row, if it has not failed. */
export function newestLookup(lastRowAt: number, all = store.getState()): Lookup | null {
  const newest = all.find((each) => each.problem === null);
  return newest && newest.askedAt >= lastRowAt ? newest : null;
}

/** Its progress, in words. */
export const progressText = ({ waiting }: Lookup): string =>
  waiting ? "no connection, looked up by itself later" : "being looked up";

/** Changes the quantity of a running lookup; 0 cancels it. */
export function setLookupQuantity(key: string, quantity: number): void {
  if (quantity < 1) drop(key);
  else change(key, { quantity });
}

export const useLookups = () => useStore(store);
