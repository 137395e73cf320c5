/** An act that waits: for the batch that it adds to, or for what it adds to be on the card. */
import { useEffect, useEffectEvent, useState } from "react";
import type { BatchChoice } from "@/features/catalog/public";
import type { useFirstSitting } from "../session/useFirstSitting";

export type HeldAct =
  /** `unseen`: Enter was pressed before the match was taken. */
  { do: "accept"; stow: boolean; unseen: boolean } | { do: "bulk" | "skip" };

export function useHeldAct(station: {
  batches: Pick<BatchChoice, "loading">;
  first: Pick<ReturnType<typeof useFirstSitting>, "needed" | "name" | "make" | "error">;
  chooseBatch: () => void;
  goOn: (act: HeldAct) => void;
}) {
  const { batches, first, chooseBatch } = station;
  const [held, hold] = useState<HeldAct | null>(null);
  /** The act waits for the batch that loads or is made now; else one is chosen. */
  const needsBatch = (act: HeldAct) => {
    if (!batches.loading && !first.needed) return chooseBatch();
    first.make();
    hold(act);
  };
  const goOn = useEffectEvent((act: HeldAct) => {
    hold(null);
    station.goOn(act);
  });
  // It may have been held before it was known that there is no batch yet.
  const begin = useEffectEvent(() => (first.name.trim() === "" ? hold(null) : first.make()));
  useEffect(() => {
    if (!held || batches.loading) return;
    if (first.needed) begin();
    else goOn(held);
  }, [held, batches.loading, first.needed]);
  // What could not be made leaves the part on its card.
  useEffect(() => {
    if (first.error) hold(null);
  }, [first.error]);
  return { held, hold, needsBatch };
}
