/** Decides which handler gets a scanned code: the dialog or page mounted last is asked first. */
import { useEffect, useEffectEvent } from "react";
import type { ScannedCard } from "./codes";

/** Handles a scanned code; returns false to pass it to the next handler. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that takes the scan says nothing
type Handler<Scanned> = (scanned: Scanned) => boolean | void;
/** A location's code. */
export type ScanHandler = Handler<string>;
/** A batch, a tray or a command. */
export type CardHandler = Handler<ScannedCard>;

export function createLine<Scanned>() {
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

/** Passes a scanned code to the handler mounted last, then to those before it. */
export const deliverScan = locations.deliver;
export const deliverCard = cards.deliver;

/**
 * Handles scans while the caller is mounted, from wedge scanner and camera alike. A dialog is
 * mounted later than its page, so it is asked first.
 */
export function useScanner(handler: ScanHandler): void {
  const latest = useEffectEvent(handler);
  useEffect(() => locations.add((code) => latest(code)), []);
}

/** The same for cards other than location labels. */
export function useCards(handler: CardHandler): void {
  const latest = useEffectEvent(handler);
  useEffect(() => cards.add((card) => latest(card)), []);
}

/** Handles the scans that no other handler has taken. One at a time; the app's frame uses it. */
export function useUnclaimedScans(handler: ScanHandler): void {
  const latest = useEffectEvent(handler);
  useEffect(() => locations.fallBackTo((code) => latest(code)), []);
}

export function useUnclaimedCards(handler: CardHandler): void {
  const latest = useEffectEvent(handler);
  useEffect(() => cards.fallBackTo((card) => latest(card)), []);
}
