import { type NavigateOptions, useSearchParams } from "react-router-dom";

type Changes = Readonly<Record<string, string | number | null>>;

/** For the change that closes what a parameter has opened: going back does not open it again. */
export const CLOSING: NavigateOptions = { replace: true };

/** The parameters of the address, and a function that sets some of them; null removes one. */
export function useAddress() {
  const [params, setParams] = useSearchParams();
  const change = (changes: Changes, options?: NavigateOptions) =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) next.delete(name);
        else next.set(name, String(value));
      }
      return next;
    }, options);
  return [params, change] as const;
}
