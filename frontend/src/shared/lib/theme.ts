/**
 * Light or dark: the choice stored under `theme`, the system's preference, and which one applies.
 */
import { storeText } from "./localSettings";

export type Theme = "light" | "dark";

const KEY = "theme";
const QUERY = "(prefers-color-scheme: dark)";

export function systemTheme(): Theme {
  return window.matchMedia(QUERY).matches ? "dark" : "light";
}

/**
 * Calls back on each change of the system's preference. Returns a function that stops the calls.
 */
export function onSystemTheme(listener: () => void): () => void {
  const media = window.matchMedia(QUERY);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** The person's stored choice, or null if the system's preference applies. */
export function storedTheme(): Theme | null {
  const stored = read(KEY);
  return stored === "dark" || stored === "light" ? stored : null;
}

/** Stores the choice; null follows the system again. */
export function storeTheme(theme: Theme | null): void {
  if (theme === null) localStorage.removeItem(KEY);
  else storeText(KEY, theme);
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    meta.media = meta.dataset.for === theme ? "all" : "not all";
  }
}

/**
 * Runs before the first render. A stored choice applies to signed-in people only, which the stored
 * `user` shows.
 */
export function startingTheme(): Theme {
  return (read("user") !== null && storedTheme()) || systemTheme();
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage can be forbidden; the page still loads
  }
}
