import { useSyncExternalStore } from "react";

const QUERY = "(max-width: 639px)";

/** Whether the window is narrow, so that rows are drawn as cards. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(QUERY);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => window.matchMedia(QUERY).matches,
  );
}
