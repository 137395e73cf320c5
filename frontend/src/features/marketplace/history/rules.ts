/** What the history says of listings and syncs. */
import type { Schema } from "@/shared/api/wire";
import { formatCount } from "@/shared/lib/format";
import type { Tone } from "@/shared/ui/Badge";
import { cycleFigures } from "../jobs";
import type { StoreSync } from "../sync/model";
import { kindsOf, kindWords, lotsOf } from "../sync/rules";

export type ListingRun = Schema<"ListingRunRow">;
export type Ended = { tone: Tone; text: string };

const OPEN = ["queued", "running", "planning", "applying"];

export const isOpen = ({ state }: { state: string }): boolean => OPEN.includes(state);

export function runOutcome(run: Pick<ListingRun, "state" | "failed_count">): Ended {
  switch (run.state) {
    case "queued":
      return { tone: "info", text: "waiting" };
    case "running":
      return { tone: "info", text: "under way" };
    case "failed":
      return { tone: "danger", text: "failed" };
    case "cancelled":
      return { tone: "neutral", text: "stopped" };
    case "succeeded":
      return run.failed_count > 0
        ? { tone: "warning", text: "done in part" }
        : { tone: "success", text: "done" };
  }
}

/** "12 listed (10 new lots, 2 topped up), 1 refused". */
export function runFigures(run: ListingRun): string {
  if (isOpen(run)) {
    return run.total ? `${formatCount(run.done)} of ${formatCount(run.total)}` : "";
  }
  const { item_count: done, created, topped_up: topped, unknown_count: unknown } = run;
  const lots = [
    created ? `${formatCount(created)} new ${created === 1 ? "lot" : "lots"}` : "",
    topped ? `${formatCount(topped)} topped up` : "",
    run.moved && run.act === "stock" ? `${formatCount(run.moved)} out of a stockroom` : "",
  ].filter(Boolean);
  return [
    `${formatCount(done ?? 0)} ${run.act === "unlist" ? "taken off sale" : "listed"}${lots.length > 0 ? ` (${lots.join(", ")})` : ""}`,
    run.failed_count > 0 && `${formatCount(run.failed_count)} refused`,
    unknown ? `${formatCount(unknown)} not known yet` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

const syncOutcomes: Record<StoreSync["state"], Ended> = {
  planning: { tone: "info", text: "comparing" },
  planned: { tone: "warning", text: "not applied" },
  applying: { tone: "info", text: "under way" },
  applied: { tone: "success", text: "applied" },
  failed: { tone: "danger", text: "failed" },
  cancelled: { tone: "neutral", text: "stopped" },
};

/** A plan with nothing to do has nothing to apply either. */
export function syncOutcome(sync: Pick<StoreSync, "state" | "counts">): Ended {
  return sync.state === "planned" && lotsOf(sync) === 0
    ? { tone: "success", text: "in agreement" }
    : syncOutcomes[sync.state];
}

/** "Sold 3, Price and texts 12"; "No difference" where there was none. */
export function syncFigures(sync: Pick<StoreSync, "counts" | "state" | "way">): string {
  if (sync.way === "cycle") {
    return cycleFigures(sync.counts) || (sync.state === "applied" ? "nothing differed" : "");
  }
  const kinds = kindsOf(sync);
  if (kinds.length > 0) {
    return kinds
      .map((kind) => `${kindWords[kind].label} ${formatCount(sync.counts[kind])}`)
      .join(", ");
  }
  return sync.state === "planned" || sync.state === "applied" ? "No difference" : "";
}
