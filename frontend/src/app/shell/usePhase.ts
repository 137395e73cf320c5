import { useEffect, useState } from "react";

const ANIMATION_MS = 200;

export type Phase = "closed" | "opening" | "open" | "closing";

/** Where an opening or closing thing is: it animates for 200 ms, then it is settled. */
export function usePhase(open: boolean): Phase {
  const [settled, setSettled] = useState(open);
  useEffect(() => {
    if (settled === open) return;
    const timer = setTimeout(() => setSettled(open), ANIMATION_MS);
    return () => clearTimeout(timer);
  }, [open, settled]);
  if (open) return settled ? "open" : "opening";
  return settled ? "closing" : "closed";
}
