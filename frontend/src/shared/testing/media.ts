/** Media queries in tests: off until switched on, and they tell their listeners. */

const on = new Set<string>();
const listeners = new Map<string, Set<() => void>>();

export function media(query: string): MediaQueryList {
  const own = listeners.get(query) ?? new Set();
  listeners.set(query, own);
  return {
    media: query,
    get matches() {
      return on.has(query);
    },
    onchange: null,
    addEventListener: (_type: string, listener: () => void) => own.add(listener),
    removeEventListener: (_type: string, listener: () => void) => own.delete(listener),
    dispatchEvent: () => true,
    addListener: () => undefined,
    removeListener: () => undefined,
  } as MediaQueryList;
}

/** Makes a query match, or not, and tells those who listen to it. */
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
