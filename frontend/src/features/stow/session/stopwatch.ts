/** Measures the speed of the work. The server keeps the totals of each session. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { Schema } from "@/shared/api/wire";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { onPersonForgotten } from "@/shared/lib/person";
import { counters, type Session } from "./session";

export type Counts = {
  /** The session's key for the server: totals sent again under it replace the earlier ones. */
  key: string;
  adds: number;
  keys: number;
  undos: number;
  captures: number;
  notFound: number;
  /** The time from picture to add in milliseconds, of each add that began with a picture. */
  acceptMs: readonly number[];
};

/** The number of newest times that are kept; older ones are dropped. */
const KEPT_TIMES = 1000;

const none = (): Counts => ({
  key: newIdempotencyKey(),
  adds: 0,
  keys: 0,
  undos: 0,
  captures: 0,
  notFound: 0,
  acceptMs: [],
});

const store = createStore<Counts>(none);
onPersonForgotten(() => store.setState(none(), true));

function count(changes: (now: Counts) => Partial<Counts>): void {
  store.setState(changes);
}

export const stopwatch = {
  store,
  pressed: () => count(({ keys }) => ({ keys: keys + 1 })),
  captured: () => count(({ captures }) => ({ captures: captures + 1 })),
  missed: () => count(({ notFound }) => ({ notFound: notFound + 1 })),
  undone: () => count(({ undos }) => ({ undos: undos + 1 })),
  /** Records an add at `now`. `capturedAt` is the time of its picture, null for a typed item. */
  added: (capturedAt: number | null, now: number) =>
    count(({ adds, acceptMs }) => ({
      adds: adds + 1,
      acceptMs: capturedAt === null ? acceptMs : [...acceptMs, now - capturedAt].slice(-KEPT_TIMES),
    })),
  forget: () => store.setState(none(), true),
};

export const useCounts = () => useStore(store);

/** The quantile: the value below which this share (0 to 1) of the values is; null for no values. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}

/** The totals that the server keeps of a session. */
export type SittingFigures = Required<Schema<"SittingWriteRequest">>;

/** The totals to send of a session, or null before the first add. Its time is what the page shows. */
export function figuresOf(counts: Counts, session: Session): SittingFigures | null {
  const { acceptMs } = counts;
  const { startedAt, actedAt } = session;
  if (startedAt === null || actedAt === null || counts.adds === 0) return null;
  return {
    key: counts.key,
    started_at: new Date(startedAt).toISOString(),
    acted_at: new Date(actedAt).toISOString(),
    adds: counts.adds,
    pieces: counters(session).pieces,
    keys: counts.keys,
    undos: counts.undos,
    captures: counts.captures,
    not_found: counts.notFound,
    accept_p50_ms: quantile(acceptMs, 0.5),
    accept_p90_ms: quantile(acceptMs, 0.9),
  };
}
