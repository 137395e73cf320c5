import { useCallback, useLayoutEffect, useRef } from "react";

/**
 * A function with a stable identity that calls the newest version: for handlers of memoised rows.
 */
export function useStable<Input extends unknown[], Output>(
  work: (...input: Input) => Output,
): (...input: Input) => Output {
  const latest = useRef(work);
  useLayoutEffect(() => {
    latest.current = work;
  });
  return useCallback((...input: Input) => latest.current(...input), []);
}
