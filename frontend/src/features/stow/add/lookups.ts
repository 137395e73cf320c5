/**
 * Adds typed ahead of the server: Enter, Enter and the next number, without looking at the page.
 * Each is resolved in the background as the card is, and becomes a row. Until then it is at the top
 * of the list, where `+`, `-` and undo change it.
 */

import { type QueryClient, replaceEqualDeep } from "@tanstack/react-query";
import { useMemo } from "react";
import { useStore } from "zustand";
import type { BatchHead } from "@/features/catalog/public";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { pathTo } from "@/shared/lib/paths";
import { outbox } from "@/shared/outbox/theOutbox";
import type { Unsent } from "@/shared/outbox/unsent";
import type { Asked } from "../asked";
import { askedText } from "../find/card";
import { addResolved, OPEN_QUESTION, type Resolved, resolveAll } from "../resolve";

/** The state of the card when Enter was pressed. */
export type Ask = Omit<Asked, "batchId"> & {
  batch: BatchHead;
  stow: boolean;
  /** The match was not on the screen: what the text leaves open is asked. */
  unseen: boolean;
};

/** An add typed ahead, as it waits in the outbox. */
type TypedAhead = {
  ask: Ask;
  quantity: number;
  /** In milliseconds. */
  askedAt: number;
};

export type Lookup = TypedAhead & {
  key: string;
  /** Why it failed; the person decides what to do. */
  problem: string | null;
  /** The problem is a question that the card can ask. */
  isOpen: boolean;
  /** The server cannot be reached; the lookup is retried automatically. */
  waiting: boolean;
};

/** The kind of its requests in the outbox. */
export const LOOKUPS = "lookups";

let client: QueryClient;
/** Lookups that began when they were typed, and become rows in the order of the adds. */
const begun = new Map<string, Promise<Resolved>>();
/** Those that are rows already, and about to leave the outbox. */
const rows = new Set<string>();
/** Open questions that stay in the list. */
const left = new Set<string>();

/** Looks up with this page's queries. */
export function lookUpWith(queries: QueryClient): void {
  client = queries;
}

const resolved = (ask: Ask) => resolveAll({ ...ask, batchId: ask.batch.id }, ask.unseen, client);
const aboutOf = ({ about }: Unsent) => about as TypedAhead; // as lookUp has put it
const wordsOf = (ask: Ask, quantity: number) => `Add ${quantity} of ${askedText(ask.card)}`;

/** Rejects where the browser has no room to keep it. */
export function lookUp(ask: Ask, now: number): Promise<unknown> {
  const key = newIdempotencyKey();
  const { quantity } = ask.card;
  const found = resolved(ask);
  begun.set(key, found);
  // A refusal is reported in its turn. Where no answer came, it is looked up again then.
  found.catch(() => begun.delete(key));
  return outbox.post([
    {
      key,
      method: null,
      path: "",
      kind: LOOKUPS,
      rows: [LOOKUPS],
      words: wordsOf(ask, quantity),
      to: pathTo("stow", { batch: ask.batch.id }),
      about: { ask, quantity, askedAt: now } satisfies TypedAhead,
    },
  ]);
}

const requestOf = (key: string) =>
  outbox.store.getState().requests.find((one) => one.key === key && !rows.has(key));

/** Makes a row of it: called by the outbox in its turn. */
export async function addTypedAhead({ key, about }: Unsent): Promise<void> {
  const found = await (begun.get(key) ?? resolved((about as TypedAhead).ask)); // see aboutOf
  begun.delete(key);
  const now = requestOf(key);
  if (!now) return;
  const { ask, quantity, askedAt } = aboutOf(now);
  rows.add(key);
  await addResolved(found, { ...ask, key, quantity, instead: key }, askedAt);
  // Without room for its row, that one says so.
  const rest = outbox.store.getState().requests.filter((one) => one.key === key);
  if (rest.length > 0) await outbox.discard(rest);
  rows.delete(key);
}

const isListed = ({ kind, key }: Unsent) => kind === LOOKUPS && !rows.has(key);

/** All lookups, newest first. */
function listed(requests: readonly Unsent[], isAway: boolean): readonly Lookup[] {
  return requests
    .filter(isListed)
    .map((one) => ({
      ...aboutOf(one),
      key: one.key,
      problem: one.refusal?.message ?? null,
      isOpen: one.refusal?.code === OPEN_QUESTION && aboutOf(one).ask.unseen && !left.has(one.key),
      waiting: isAway && !one.refusal,
    }))
    .sort((a, b) => b.askedAt - a.askedAt);
}

/** The lookup that is newer than any row, if it has not failed. */
export function newestLookup(
  lastRowAt: number,
  all: readonly Lookup[] = listed(outbox.store.getState().requests, false),
): Lookup | null {
  const newest = all.find((each) => each.problem === null);
  return newest && newest.askedAt >= lastRowAt ? newest : null;
}

/** Its progress, in words. */
export const progressText = ({ waiting }: Lookup): string =>
  waiting ? "no connection, looked up by itself later" : "being looked up";

/** Changes the quantity of a lookup; 0 cancels it. */
export function setLookupQuantity(key: string, quantity: number): void {
  const request = requestOf(key);
  if (!request) return;
  const about = { ...aboutOf(request), quantity };
  if (quantity < 1) void outbox.discard([request]);
  else void outbox.amend(key, { about, words: wordsOf(about.ask, quantity) });
}

let waiting: readonly Unsent[] = [];
/** One list for as long as it is the same: what else is sent does not draw the page again. */
const listedOf = ({ requests }: { requests: readonly Unsent[] }) => {
  waiting = replaceEqualDeep(waiting, requests.filter(isListed));
  return waiting;
};
export function useLookups(): readonly Lookup[] {
  const requests = useStore(outbox.store, listedOf);
  const isAway = useStore(outbox.store, (state) => state.waitsFor !== null);
  return useMemo(() => listed(requests, isAway), [requests, isAway]);
}

/** The list shows what is refused of them, while the station is open. */
export const showLookups = (): (() => void) =>
  outbox.onOutcome(LOOKUPS, ({ error }) => error !== undefined);

/** Leaves open questions in the list, as problems. */
export function leaveInList(questions: readonly Lookup[]): void {
  for (const { key } of questions) left.add(key);
}
