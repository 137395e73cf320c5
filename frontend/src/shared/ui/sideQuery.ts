/**
 * Secondary queries of a page. Their errors have no place of their own, so one notice names
 * everything that could not be loaded, and offers a retry.
 */
import { type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useIsAway } from "@/shared/lib/line";
import { isSessionOver, problemText } from "@/shared/lib/problem";
import { toast } from "./toast";

type Missing = { what: string; error: unknown; refetch: () => unknown };

const NOTICE = "not-loaded";
const missing = new Set<Missing>();
let isChanged = false;

/** A secondary query of a page; `what` is the end of a sentence: "your currency". */
export function useSideQuery<Fetched, Data, Key extends QueryKey>(
  options: UseQueryOptions<Fetched, Error, Data, Key>,
  what: string,
): Data | undefined {
  const query = useQuery(options);
  useTellMissing(query, what);
  return query.data;
}

/** The same for callers that need more of the query than its data. */
export function useTellMissing(
  query: { data: unknown; error: unknown; refetch: () => unknown },
  what: string,
): void {
  const isAway = useIsAway();
  // An older answer is good enough; a lost line and the end of the session are told elsewhere.
  const isTold = isAway || isSessionOver(query.error);
  const error = query.data === undefined && !isTold ? query.error : null;
  const refetch = useEffectEvent(() => query.refetch());
  useEffect(() => {
    if (error === null) return;
    const one = { what, error, refetch: () => refetch() };
    missing.add(one);
    showSoon();
    return () => {
      missing.delete(one);
      showSoon();
    };
  }, [error, what]);
}

/** One update for simultaneous changes. */
function showSoon(): void {
  if (isChanged) return;
  isChanged = true;
  queueMicrotask(() => {
    isChanged = false;
    const [first] = missing;
    if (!first) {
      toast.remove(NOTICE);
      return;
    }
    const names = [...new Set([...missing].map(({ what }) => what))];
    toast.error(`Could not be loaded: ${names.join(", ")}.`, {
      id: NOTICE,
      detail: problemText(first.error),
      duration: Number.POSITIVE_INFINITY,
      action: { label: "Load again", run: () => [...missing].map((one) => one.refetch()) },
    });
  });
}
