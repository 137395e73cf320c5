import { useIsFetching } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useIsAway } from "@/shared/lib/line";

/**
 * Content that is shown once nothing has been fetched for a moment: until then what loads above it
 * would move it. A load that takes longer than 25 such moments is not waited for, nor any while the
 * line is lost: what is kept is there at once. While `isKnown` is false it stays hidden for as long
 * as that takes, unless the line is lost. Once shown, it stays.
 */
export function Settled(props: { quietMs?: number; isKnown?: boolean; children: ReactNode }) {
  const isFetching = useIsFetching({ predicate: ({ meta }) => !meta?.movesNothing }) > 0;
  const isShown = useSettled(isFetching, props.quietMs, props.isKnown);
  return <div className={isShown ? undefined : "invisible"}>{props.children}</div>;
}

/** Returns whether what waits for a load may be shown, by the same rule. */
export function useSettled(isFetching: boolean, quietMs = 60, isKnown = true): boolean {
  const [isShown, setShown] = useState(false);
  const isAway = useIsAway();
  const isLoading = isFetching && !isAway;
  const mayShow = isKnown || isAway;
  useEffect(() => {
    if (!mayShow) return;
    const timer = setTimeout(() => setShown(true), isLoading ? 25 * quietMs : quietMs);
    return () => clearTimeout(timer);
  }, [mayShow, isLoading, quietMs]);
  return isShown;
}
