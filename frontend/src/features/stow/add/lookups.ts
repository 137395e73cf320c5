/**
 * Adds typed ahead of the server: Enter, Enter and the next number, without looking at the page.
 * Each is resolved in the background as the card is, and becomes a row. Until then it is at the top
 * of the list, where `+`, `-` and undo change it.
 */

import type { QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { BatchHead } from "@/features/catalog/public";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { problemText } from "@/shared/lib/problem";
import { waitsFor } from "@/shared/outbox/reach";
import { createOutbox, type Waiting } from "@/shared/outbox/tabCalls";
import type { Asked } from "../asked";
import { addResolved, OpenQuestion, type Resolved, resolveAll } from "../resolve";
import { tellNotKept } from "../session/notKept";

/** The state of the card when Enter was pressed. */
export type Ask = Omit<Asked, "batchId"> & {
  batch: BatchHead;
  stow: boolean;
  /** The match was not on the screen: what the text leaves open is asked. */
  unseen: boolean;
};

/** An add typed ahead, as it waits. */
type TypedAhead = {
  key: string;
  ask: Ask;
  quantity: number;
  /** In milliseconds. */
  askedAt: number;
  /** Why it failed; the person decides what to do. */
  problem: string | null;
  /** The problem is a question that the card can ask. */
  isOpen?: boolean;
};

export type Lookup = TypedAhead & {
  /** The server cannot be reached; the lookup is retried automatically. */
  waiting: boolean;
};

const refused = createStore<readonly TypedAhead[]>(() => []);
let client: QueryClient;
/** Lookups that began when they were typed, and become rows in the order of the adds. */
const begun = new Map<string, Promise<Resolved>>();

const resolved = (ask: Ask) => resolveAll({ ...ask, batchId: ask.batch.id }, ask.unseen, client);

const typedAhead = createOutbox<TypedAhead, Resolved, readonly TypedAhead[]>({
  name: "lookups",
  send: ({ key, ask }) => {
    const found = begun.get(key) ?? resolved(ask);
    begun.delete(key);
    return found;
  },
  beside: () => (refused.getState().length > 0 ? refused.getState() : null),
  onNotKept: tellNotKept,
  onForgotten: () => refused.setState([], true),
});
refused.subscribe(typedAhead.keep);

typedAhead.onAnswered(({ operation, answer, error }) => {
  if (answer) {
    const { key, ask, quantity, askedAt } = operation;
    addResolved(answer, { ...ask, key, quantity }, askedAt);
  } else {
    const isOpen = operation.ask.unseen && error instanceof OpenQuestion;
    refused.setState(
      (all) => [...all, { ...operation, problem: problemText(error), isOpen }],
      true,
    );
  }
});

export function lookUp(ask: Ask, now: number): void {
  const key = newIdempotencyKey();
  const found = resolved(ask);
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

/** Leaves open questions in the list, as problems. */
export function leaveInList(questions: readonly TypedAhead[]): void {
  const left = new Set(questions.map(({ key }) => key));
  refused.setState(
    (all) => all.map((each) => (left.has(each.key) ? { ...each, isOpen: false } : each)),
    true,
  );
}
