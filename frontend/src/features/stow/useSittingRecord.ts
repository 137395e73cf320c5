import { useEffect } from "react";
import { api } from "@/shared/api/client";
import { counters, inBatch } from "./session";
import { sitting } from "./sitting";
import { figuresOf, stopwatch } from "./stopwatch";

/** A sitting that is broken off loses no more than this of its figures. */
const EVERY_MS = 60_000;

/** Tells the server the sums of the sitting, every minute and on leaving. */
export function useSittingRecord(): void {
  useEffect(() => {
    let told = 0;
    const tell = () => {
      const counts = stopwatch.store.getState();
      const { pieces } = counters(inBatch(sitting.store.getState(), null));
      const figures = figuresOf(counts, pieces);
      if (!figures || counts.actedAt === told) return;
      told = counts.actedAt ?? 0;
      // Figures are worth no second try, and nobody's attention.
      api.post("stationSittings", { body: figures, retry: false }).catch(() => undefined);
    };
    const timer = setInterval(tell, EVERY_MS);
    return () => {
      clearInterval(timer);
      tell();
    };
  }, []);
}
