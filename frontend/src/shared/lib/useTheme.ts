import { useSyncExternalStore } from "react";
import { onSystemTheme, storedTheme, storeTheme, systemTheme, type Theme } from "./theme";

const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  const stopSystem = onSystemTheme(listener);
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    stopSystem();
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** The system's preference, updated when it changes. */
export const useSystemTheme = (): Theme => useSyncExternalStore(listen, systemTheme);

/** The person's choice; null follows the system. `choose` stores it for this browser. */
export function useThemeChoice() {
  const choice = useSyncExternalStore(listen, storedTheme);
  const theme = useSystemTheme();
  const choose = (next: Theme | null) => {
    storeTheme(next);
    for (const listener of listeners) listener();
  };
  return { choice, theme: choice ?? theme, choose };
}
