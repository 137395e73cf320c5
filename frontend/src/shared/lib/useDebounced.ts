import { useEffect, useState } from "react";

/** Delay after the last key before a search, a validation or an edit is sent, in milliseconds. */
export const DEBOUNCE_MS = 300;

/** The debounced `value`: its last value that was unchanged for `delay` milliseconds. */
export function useDebounced<Value>(value: Value, delay = DEBOUNCE_MS): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
