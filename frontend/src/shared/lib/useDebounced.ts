import { useEffect, useState } from "react";

/** Milliseconds that typing rests before a search, a validation or an edit goes out. */
export const DEBOUNCE_MS = 300;

/** `value` as it was when it last stayed the same for `delay` milliseconds. */
export function useDebounced<Value>(value: Value, delay = DEBOUNCE_MS): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
