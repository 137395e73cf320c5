import {
  type FormEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { DEBOUNCE_MS } from "@/shared/lib/useDebounced";

/** What is typed into, unlike a box to tick or a list to choose from. */
const TYPED = "textarea, input:not([type=checkbox], [type=radio], [type=file])";

/**
 * The error of a typed field as it is shown: 300 ms after the last key, and at once when the field
 * is left or sent. It goes as soon as the input is valid. `typing` is for the element around the field.
 */
export function useShownError<Error>(error: Error | null) {
  /** What was shown when the person began to type. */
  const [held, setHeld] = useState<{ before: Error | null } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const shown = held && error ? held.before : error;
  const end = useCallback(() => {
    clearTimeout(timer.current);
    setHeld(null);
  }, []);
  const isTyping = held !== null;
  useEffect(() => {
    if (!isTyping) return;
    document.addEventListener("submit", end, true);
    return () => document.removeEventListener("submit", end, true);
  }, [isTyping, end]);
  return {
    shown,
    typing: {
      onInput: ({ target }: FormEvent) => {
        if (!(target instanceof Element && target.matches(TYPED))) return;
        clearTimeout(timer.current);
        timer.current = setTimeout(end, DEBOUNCE_MS);
        setHeld({ before: shown });
      },
      onBlur: end,
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === "Enter") end();
      },
    },
  };
}
