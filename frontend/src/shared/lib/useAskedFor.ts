import { useEffect } from "react";
import { useSearchParams } from "react-router-dom";
import { useStable } from "./useStable";

/**
 * Runs once for a parameter of the address that requests an act (`?new=1`), and removes the
 * parameter.
 */
export function useAskedFor(name: string, run: (value: string) => void): void {
  const [params, setParams] = useSearchParams();
  const asked = params.get(name);
  const act = useStable((value: string) => {
    setParams(
      (current) => {
        current.delete(name);
        return current;
      },
      { replace: true },
    );
    run(value);
  });
  useEffect(() => {
    if (asked) act(asked);
  }, [asked, act]);
}
