/**
 * The line to the server: the one place that knows whether it can be reached. A request that does
 * not reach it raises a doubt; one question, shared by all requests, settles it.
 */
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

type Line = {
  /** When the server was found out of reach; null: it answers. */
  awaySince: number | null;
  /** Of when the oldest answer is that a page shows in place of the server's. */
  asOf: number | null;
};

const IN_REACH: Line = { awaySince: null, asOf: null };
const PAUSES_MS = [1_000, 2_000, 5_000, 10_000];

export const line = createStore<Line>(() => IN_REACH);

export const isAway = (): boolean => line.getState().awaySince !== null;
export const useLine = (): Line => useStore(line);
export const useIsAway = (): boolean => useStore(line, ({ awaySince }) => awaySince !== null);

let ask: () => Promise<boolean> = async () => true;

/** How the server is asked. */
export function askLineBy(question: () => Promise<boolean>): void {
  ask = question;
}

let asking: Promise<boolean> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let times = 0;

/** Asks whether the server can be reached. While it cannot, it is asked again and again. */
export function canReach(): Promise<boolean> {
  asking ??= ask()
    .then((isReached) => {
      if (isReached) noteReached();
      else noteAway();
      return isReached;
    })
    .finally(() => {
      asking = null;
    });
  return asking;
}

function noteAway(): void {
  line.setState(({ awaySince }) => ({ awaySince: awaySince ?? Date.now() }));
  clearTimeout(timer);
  timer = setTimeout(canReach, PAUSES_MS[Math.min(times, PAUSES_MS.length - 1)]);
  times += 1;
}

/** The server has answered something. */
export function noteReached(): void {
  clearTimeout(timer);
  times = 0;
  if (isAway()) line.setState(IN_REACH, true);
}

/** An answer of this time is shown, since the server gives none. */
export function noteShownAsOf(at: number): void {
  line.setState(({ asOf }) => ({ asOf: Math.min(asOf ?? at, at) }));
}

/** Another page is shown. */
export const forgetAsOf = (): void => line.setState({ asOf: null });

/** Calls back when the server can be reached again. Returns a function that stops it. */
export const onLineBack = (listener: () => void): (() => void) =>
  line.subscribe((now, before) => {
    if (before.awaySince !== null && now.awaySince === null) listener();
  });

/** Calls back when the server is found out of reach. Returns a function that stops it. */
export const onLineLost = (listener: () => void): (() => void) =>
  line.subscribe((now, before) => {
    if (before.awaySince === null && now.awaySince !== null) listener();
  });

/**
 * What the browser notices is only a reason to ask, and so is a page that this browser kept: it is
 * given in place of the server's where that comes late, too.
 */
export function watchLine(isKeptPage: boolean): void {
  for (const event of ["online", "offline"]) window.addEventListener(event, canReach);
  if (isKeptPage || !navigator.onLine) void canReach();
}
