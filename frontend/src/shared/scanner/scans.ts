/** Who hears what was scanned: the page in front first, what is mounted for every page last. */
import { useEffect, useEffectEvent } from "react";
import type { ScannedCard } from "./codes";

/** Gets what was scanned; answers false to leave it to whoever comes next. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that takes the scan says nothing
type Handler<Scanned> = (scanned: Scanned) => boolean | void;
/** A location's code. */
export type ScanHandler = Handler<string>;
/** A batch, a tray or a command. */
export type CardHandler = Handler<ScannedCard>;

function createLine<Scanned>() {
  const handlers: Handler<Scanned>[] = [];
  let fallback: Handler<Scanned> | null = null;
  return {
    deliver: (scanned: Scanned) => {
      for (const handler of [...handlers].reverse()) {
        if (handler(scanned) !== false) return;
      }
      fallback?.(scanned);
    },
    add: (handler: Handler<Scanned>) => {
      handlers.push(handler);
      return () => {
        handlers.splice(handlers.indexOf(handler), 1);
      };
    },
    fallBackTo: (handler: Handler<Scanned>) => {
      fallback = handler;
      return () => {
        if (fallback === handler) fallback = null;
      };
    },
  };
}

const locations = createLine<string>();
const cards = createLine<ScannedCard>();

/** Hands a scanned code to the handler mounted last, then to those before it. */
export const deliverScan = locations.deliver;
export const deliverCard = cards.deliver;

/**
 * Takes the scans while the caller is mounted, from a wedge scanner and from the camera alike.
 * A dialog above a page is mounted later, and so hears them first.
 */
export function useScanner(handler: ScanHandler): void {
  const latest = useEffectEvent(handler);
  useEffect(() => locations.add((code) => latest(code)), []);
}

/** The same for the cards that are no locations. */
export function useCards(handler: CardHandler): void {
  const latest = useEffectEvent(handler);
  useEffect(() => cards.add((card) => latest(card)), []);
}

/** Takes the scans that nobody else wants. One at a time: it belongs to the frame of the app. */
export function useUnclaimedScans(handler: ScanHandler): void {
  const latest = useEffectEvent(handler);
  useEffect(() => locations.fallBackTo((code) => latest(code)), []);
}

export function useUnclaimedCards(handler: CardHandler): void {
  const latest = useEffectEvent(handler);
  useEffect(() => cards.fallBackTo((card) => latest(card)), []);
}
