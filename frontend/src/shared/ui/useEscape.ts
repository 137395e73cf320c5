import { useLayoutEffect } from "react";
import { useStable } from "@/shared/lib/useStable";

/** What closes each open layer, in the order in which they came: the last one is on top. */
const layers: (() => void)[] = [];

/**
 * For `onEscapeKeyDown` of a Radix layer: Escape closes the layer on top. Radix itself learns which
 * one that is in a task after the new one is drawn, and until then closes the one below, and with
 * it all that it holds.
 */
export function useEscape(onEscape: () => void): (event: KeyboardEvent) => void {
  const close = useStable(onEscape);
  useLayoutEffect(() => {
    layers.push(close);
    return () => {
      layers.splice(layers.indexOf(close), 1);
    };
  }, [close]);
  return (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault(); // so that Radix does not close the layer that got the key
    layers.at(-1)?.();
  };
}
