import { useEffect } from "react";
import { api } from "@/shared/api/client";
import { counters, inBatch } from "./session";
import { sitting } from "./sitting";
import { figuresOf, stopwatch } from "./stopwatch";

/** Interval of saving; an interrupted session loses at most this much of its figures. */
const EVERY_MS = 60_000;

/** Sends the totals of the session to the server, every minute and on leaving. */
export function useSittingRecord(): void {
  useEffect(() => {
    let told = 0;
    const tell = () => {
      const counts = stopwatch.store.getState();
      const { pieces } = counters(inBatch(sitting.store.getState(), null));
      const figures = figuresOf(counts, pieces);
      if (!figures || counts.actedAt === told) return;
      told = counts.actedAt ?? 0;
      // No retry and no error message: the figures are not important enough.
      api.post("stationSittings", { body: figures, retry: false }).catch(() => undefined);
    };
    const timer = setInterval(tell, EVERY_MS);
    return () => {
      clearInterval(timer);
      tell();
    };
  }, []);
}
