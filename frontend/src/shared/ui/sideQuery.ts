/**
 * Queries beside the main thing of a page: their errors have no place of their own on it, so one
 * notice names all that could not be loaded, and tries again.
 */
import { type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { isSessionOver, problemText } from "@/shared/lib/problem";
import { toast } from "./toast";

type Missing = { what: string; error: unknown; refetch: () => unknown };

const NOTICE = "not-loaded";
const missing = new Set<Missing>();
let isChanged = false;

/** What a page fetches on the side; `what` as a sentence ends: "your currency". */
export function useSideQuery<Fetched, Data, Key extends QueryKey>(
  options: UseQueryOptions<Fetched, Error, Data, Key>,
  what: string,
): Data | undefined {
  const query = useQuery(options);
  useTellMissing(query, what);
  return query.data;
}

/** The same for a query of which more is used than its data. */
export function useTellMissing(
  query: { data: unknown; error: unknown; refetch: () => unknown },
  what: string,
): void {
  // An older answer is still true enough; and that a session has ended is said once, elsewhere.
  const error = query.data === undefined && !isSessionOver(query.error) ? query.error : null;
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

/** Once for all that changes together. */
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
      action: { label: "Try again", run: () => [...missing].map((one) => one.refetch()) },
    });
  });
}
