/** Media queries in tests: off until switched on; changes notify their listeners. */

const on = new Set<string>();
const listeners = new Map<string, Set<() => void>>();

export function media(query: string): MediaQueryList {
  const own = listeners.get(query) ?? new Set();
  listeners.set(query, own);
  const list: Partial<MediaQueryList> = {
    media: query,
    get matches() {
      return on.has(query);
    },
    addEventListener: (_type: string, listener: unknown) => void own.add(listener as () => void),
    removeEventListener: (_type: string, listener: unknown) =>
      void own.delete(listener as () => void),
  };
  return list as MediaQueryList; // our code does not use the rest
}

/** Switches a query on or off and notifies its listeners. */
export function setMedia(query: string, matches: boolean): void {
  if (matches) on.add(query);
  else on.delete(query);
  for (const listener of listeners.get(query) ?? []) listener();
}

export function resetMedia(): void {
  on.clear();
  listeners.clear();
}

export const PREFERS_DARK = "(prefers-color-scheme: dark)";
export const IS_PHONE = "(max-width: 639px)";
