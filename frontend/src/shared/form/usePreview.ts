import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDebounced } from "@/shared/lib/useDebounced";

/** What an act would do with the options chosen so far. */
export type Preview<Result> = {
  /** The newest answer. Undefined before the first one, and while an option is missing. */
  result: Result | undefined;
  /** `result` belongs to options that have changed since. */
  isStale: boolean;
  error: Error | null;
  retry: () => void;
};

/**
 * Asks the server what an act would do, as its options are chosen: at once when the dialog opens,
 * then after the last key. `name` names it in the query cache. `body` is null while an option is
 * missing; it is sent as JSON, so it must hold nothing else.
 */
export function usePreview<Body, Result>(
  name: readonly (string | number)[],
  body: Body | null,
  ask: (body: Body, signal: AbortSignal) => Promise<Result>,
): Preview<Result> {
  const typed = body === null ? null : JSON.stringify(body);
  const asked = useDebounced(typed);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ["previews", ...name, asked],
    queryFn: ({ signal }) => ask(JSON.parse(asked ?? "null"), signal),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    meta: { isPlan: true },
  });
  const isAsked = typed !== null;
  return {
    result: isAsked ? data : undefined,
    isStale: asked !== typed || isPlaceholderData,
    error: isAsked ? error : null,
    retry: () => void refetch(),
  };
}
