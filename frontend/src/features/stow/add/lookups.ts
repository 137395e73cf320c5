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
import { useMemo } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { BatchHead, Owned } from "@/features/catalog/public";
import {
  type CatalogItem,
  catalogQueries,
  meantColor,
  openColor,
  recentColors,
  rememberColor,
  type SeenOf,
  stockQueries,
} from "@/features/catalog/public";
import { locationQueries } from "@/features/locations/public";
import { marketplaceQueries } from "@/features/marketplace/public";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import type { ItemType } from "@/shared/lib/itemTypes";
import { problemText } from "@/shared/lib/problem";
import { waitsFor } from "@/shared/outbox/reach";
import { createOutbox, type Waiting } from "@/shared/outbox/tabCalls";
import { chosenByPerson, plannedElsewhere, plansFor, withPlans } from "../bin/plan";
import { type Card, searchText } from "../find/card";
import { CANDIDATES } from "../find/useCandidates";
import type { Condition } from "../model";
import { chosenColor, colorOptions, isSaid, offeredColors } from "../part/choices";
import { colorViewOf, existingLotsQuery, viewOptionsNow } from "../part/colorView";
import { draftOf, lastBinName } from "../session/session";
import { sitting } from "../session/sitting";

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
  /** The match was not on the screen: what the text leaves open is asked. */
  unseen: boolean;
};

/** What the person has to choose or to correct. */
class OpenQuestion extends Error {
  override readonly name = "OpenQuestion";
}

let asksNow = (_asked: Ask, _quantity: number): boolean => false;

/**
 * Calls back with what an unseen add leaves open; returns whether the person is asked now. Returns
 * a function that stops it.
 */
export function onOpenQuestion(asks: typeof asksNow): () => void {
  asksNow = asks;
  return () => {
    asksNow = () => false;
  };
}

/** An add typed ahead, as it waits. */
type TypedAhead = {
  key: string;
  ask: Ask;
  quantity: number;
  /** In milliseconds. */
  askedAt: number;
  /** Why it failed; the person decides what to do. */
  problem: string | null;
};

export type Lookup = TypedAhead & {
  /** The server cannot be reached; the lookup is retried automatically. */
  waiting: boolean;
};

type Found = Awaited<ReturnType<typeof resolve>>;

const refused = createStore<readonly TypedAhead[]>(() => []);
let client: QueryClient;
/** Lookups that began when they were typed, and become rows in the order of the adds. */
const begun = new Map<string, Promise<Found>>();

const typedAhead = createOutbox<TypedAhead, Found, readonly TypedAhead[]>({
  name: "lookups",
  send: ({ key, ask }) => {
    const found = begun.get(key) ?? resolve(ask);
    begun.delete(key);
    return found;
  },
  beside: () => (refused.getState().length > 0 ? refused.getState() : null),
  onForgotten: () => refused.setState([], true),
});
refused.subscribe(typedAhead.keep);

typedAhead.onAnswered(({ operation, answer, error }) => {
  if (!answer) {
    const isOpen = operation.ask.unseen && error instanceof OpenQuestion;
    if (isOpen && asksNow(operation.ask, operation.quantity)) return;
    const problem = problemText(error);
    refused.setState((all) => [...all, { ...operation, problem }], true);
    return;
  }
  const { key, ask, quantity, askedAt } = operation;
  const { draft, bin } = answer;
  rememberColor(draft.colorId);
  sitting.add({ key, draft, bin, quantity, stow: ask.stow }, askedAt);
});

export function lookUp(ask: Ask, now: number): void {
  const key = newIdempotencyKey();
  const found = resolve(ask);
  begun.set(key, found);
  // A refusal is reported in its turn. Where no answer came, it is looked up again then.
  found.catch((error) => waitsFor(error) && begun.delete(key));
  void typedAhead.put([{ key, ask, quantity: ask.card.quantity, askedAt: now, problem: null }]);
}

/** Continues the lookups from before a reload or of a closed tab, with this page's queries. */
export async function resumeLookups(queries: QueryClient): Promise<void> {
  client = queries;
  const left = (await typedAhead.resume()).flat();
  if (left.length > 0) refused.setState((all) => [...all, ...left], true);
}

/** Retries the lookups that wait for the server. */
export const retryLookups = typedAhead.tryAgain;

/** What the card would have shown, or why there is nothing to show. */
async function resolve({ card, type, seen, condition, batch, locked, unseen }: Ask) {
  const text = searchText(card);
  const search = catalogQueries.search({ text, type, limit: CANDIDATES, seen });
  const items = card.seen ?? (await fetchSurely(search)).data;
  const item = items[card.candidate] ?? items[0];
  if (!item) throw new OpenQuestion(`Nothing matches “${text}”.`);

  const session = () => sitting.store.getState();
  const fetched = await fetchColors(item, condition);
  const ranked = colorOptions(item, fetched, { recent: recentColors(), locked });
  const meant = meantColor(item, fetched.lots, locked);
  const view = await fetchView({ item, meant, batchId: batch.id, owned: fetched.owned });
  const offered = offeredColors(ranked, fetched.lots, view).options;
  const open = openColor(item, fetched.lots, locked);
  const color = chosenColor({ offered, ranked }, fetched.colors, card, open);
  if (!color && open) {
    throw new OpenQuestion(
      `“${open}” may mean several colours of ${item.item_number}: choose one.`,
    );
  }
  if (!color && open !== null) {
    throw new OpenQuestion(`Which colour of ${item.item_number}? There are several: choose one.`);
  }
  if (unseen && !isSaid(card, items)) {
    throw new OpenQuestion(`“${text}” may mean several: choose one.`);
  }
  if (!color) throw new OpenQuestion(`No colour is known for ${item.item_number}: choose one.`);

  const destinations =
    color.lotId === null
      ? []
      : await fetchSurely(
          stockQueries.destinations(color.lotId, condition, card.quantity, lastBinName(session())),
        ).catch(() => []);
  const plans = plansFor(session(), color.lotId, condition);
  const ownId = plannedElsewhere(destinations, plans);
  const own = ownId === null ? [] : await fetchOwn(ownId);
  const best = withPlans([...destinations, ...own], plans, card.quantity).find(
    (each) => each.recommended,
  );
  const recommended = best ? { id: best.id, name: best.name } : null;
  const draft = draftOf({ batch, item, color, condition, price: card.price ?? color.price });
  return { draft, bin: card.bin ?? recommended };
}

async function fetchColors(item: CatalogItem, condition: Condition) {
  const [lots, owned, colors] = await Promise.all([
    fetchSurely(catalogQueries.lots(item.id, condition)),
    fetchSurely(stockQueries.owned(item.id)).catch(() => []),
    fetchSurely(catalogQueries.colors()).catch(() => []),
  ]);
  return { lots, owned, colors };
}

async function fetchView(given: {
  item: CatalogItem;
  meant: number | null;
  batchId: number;
  owned: readonly Owned[];
}) {
  const { item, meant, batchId, owned } = given;
  const options = viewOptionsNow();
  const query = existingLotsQuery(batchId, item.item_number, options);
  const [rule, existing] = await Promise.all([
    fetchSurely(marketplaceQueries.priceRule()).catch(() => undefined),
    query.enabled ? fetchSurely(query).catch(() => []) : [],
  ]);
  const session = sitting.store.getState();
  return colorViewOf({ meant, options, rule, owned, existing, session, batchId });
}

const fetchOwn = (id: number) =>
  fetchSurely(locationQueries.detail(id)).then(
    (location) => [chosenByPerson(location)],
    () => [],
  );

/** If the card unmounts, it may cancel this shared query: then retry once. */
async function fetchSurely<Data, Result, Key extends QueryKey>(
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

/** All lookups, newest first. */
function listed({ waiting, isAway }: Waiting<TypedAhead>, failed: readonly TypedAhead[]): Lookup[] {
  return [
    ...waiting.map((each) => ({ ...each, waiting: isAway })),
    ...failed.map((each) => ({ ...each, waiting: false })),
  ].sort((a, b) => b.askedAt - a.askedAt);
}

/** The lookup that is newer than any row, if it has not failed. */
export function newestLookup(
  lastRowAt: number,
  all: readonly Lookup[] = listed(typedAhead.store.getState(), []),
): Lookup | null {
  const newest = all.find((each) => each.problem === null);
  return newest && newest.askedAt >= lastRowAt ? newest : null;
}

/** Its progress, in words. */
export const progressText = ({ waiting }: Lookup): string =>
  waiting ? "no connection, looked up by itself later" : "being looked up";

/** Changes the quantity of a lookup; 0 cancels it. */
export function setLookupQuantity(key: string, quantity: number): void {
  const change = (all: readonly TypedAhead[]) =>
    all.flatMap((each) => (each.key !== key ? each : quantity < 1 ? [] : { ...each, quantity }));
  typedAhead.store.setState(({ waiting }) => ({ waiting: change(waiting) }));
  refused.setState(change, true);
}

export function useLookups(): readonly Lookup[] {
  const waiting = useStore(typedAhead.store);
  const failed = useStore(refused);
  return useMemo(() => listed(waiting, failed), [waiting, failed]);
}
