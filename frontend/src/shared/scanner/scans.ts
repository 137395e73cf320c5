/** Who hears what was scanned: the page in front first, what is mounted for every page last. */
import { useEffect, useEffectEvent } from "react";

/** Gets a location's code; answers false to leave it to whoever comes next. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that takes the scan says nothing
export type ScanHandler = (code: string) => boolean | void;

const handlers: ScanHandler[] = [];
let fallback: ScanHandler | null = null;

/** Hands a scanned code to the handler mounted last, then to those before it. */
export function deliverScan(code: string): void {
  for (const handler of [...handlers].reverse()) {
    if (handler(code) !== false) return;
  }
  fallback?.(code);
}

/**
 * Takes the scans while the caller is mounted, from a wedge scanner and from the camera alike.
 * A dialog above a page is mounted later, and so hears them first.
 */
export function useScanner(handler: ScanHandler): void {
  const latest = useEffectEvent(handler);
  useEffect(() => {
    const own: ScanHandler = (code) => latest(code);
    handlers.push(own);
    return () => {
      handlers.splice(handlers.indexOf(own), 1);
    };
  }, []);
}

/** Takes the scans that nobody else wants. One at a time: it belongs to the frame of the app. */
export function useUnclaimedScans(handler: ScanHandler): void {
  const latest = useEffectEvent(handler);
  useEffect(() => {
    const own: ScanHandler = (code) => latest(code);
    fallback = own;
    return () => {
      if (fallback === own) fallback = null;
    };
  }, []);
}
