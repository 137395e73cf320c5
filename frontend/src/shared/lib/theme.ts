/** Light or dark: what is stored under `theme`, what the system prefers, and which one counts. */

export type Theme = "light" | "dark";

const KEY = "theme";
const QUERY = "(prefers-color-scheme: dark)";

export function systemTheme(): Theme {
  return window.matchMedia(QUERY).matches ? "dark" : "light";
}

/** Calls back on each change of the system's preference. Returns how to stop. */
export function onSystemTheme(listener: () => void): () => void {
  const media = window.matchMedia(QUERY);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** The person's stored choice, or null while the system is followed. */
export function storedTheme(): Theme | null {
  const stored = read(KEY);
  return stored === "dark" || stored === "light" ? stored : null;
}

/** Stores the choice; null goes back to following the system. */
export function storeTheme(theme: Theme | null): void {
  if (theme === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}

/** Before anything is rendered: a stored choice belongs to signed-in people, `user` tells them. */
export function startingTheme(): Theme {
  return (read("user") !== null && storedTheme()) || systemTheme();
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage can be forbidden; the page is still shown
  }
}
