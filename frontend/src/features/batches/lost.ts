/**
 * Operations that this browser asked for and got no result of: the server's log does not have them.
 * They are kept over a reload.
 */
import { type Mutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { PERSONAL } from "@/shared/lib/person";
import { problemText } from "@/shared/lib/problem";
import type { OperationKind } from "./model";
import { operationOf, TOLD_FOR_MS } from "./work";

type Lost = { batchId: number | null; kind: OperationKind; at: number; message: string };

const KEPT = `${PERSONAL}lostOperations`;
const MOST_KEPT = 50;

function lostBy(mutation: Mutation): Lost | null {
  const asked = operationOf(mutation);
  const { status, submittedAt: at, error } = mutation.state;
  return asked && status === "error" ? { ...asked, at, message: problemText(error) } : null;
}

function keptLost(): Lost[] {
  const kept = getSetting<Lost[]>(KEPT);
  return Array.isArray(kept) ? kept.filter(({ at }) => Date.now() - at < TOLD_FOR_MS) : [];
}

function keep(mutations: readonly Mutation[]): void {
  const kept = keptLost();
  const added = newOf(
    mutations.flatMap((mutation) => lostBy(mutation) ?? []),
    kept,
  );
  if (added.length === 0) return;
  // Where the browser's storage is full, they are shown until the page is loaded anew.
  setSetting(KEPT, [...kept, ...added].slice(-MOST_KEPT));
}

/** Those of `found` that are not among `known`. */
const newOf = (found: readonly Lost[], known: readonly Lost[]): Lost[] =>
  found.filter(({ at, kind }) => !known.some((one) => one.at === at && one.kind === kind));

/** Keeps what is lost from now on, and what was since the page was loaded. */
export function useKeepLost(): void {
  const mutations = useQueryClient().getMutationCache();
  useEffect(() => {
    keep(mutations.getAll());
    return mutations.subscribe(({ type, mutation }) => {
      if (type === "updated" && mutation.state.status === "error") keep([mutation]);
    });
  }, [mutations]);
}

/** The lost operations on a batch, newest first. */
export function useLost(batchId: number): Lost[] {
  const found = useMutationState({
    filters: { status: "error", predicate: (mutation) => lostBy(mutation) !== null },
    select: (mutation) => lostBy(mutation),
  });
  const live = found.filter((each) => each !== null);
  return [...newOf(keptLost(), live), ...live]
    .filter((each) => each.batchId === batchId)
    .sort((one, other) => other.at - one.at);
}
