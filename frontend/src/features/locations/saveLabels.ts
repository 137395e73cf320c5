import type { QueryClient } from "@tanstack/react-query";
import { downloadMade } from "@/shared/api/download";
import { numberOf } from "@/shared/lib/amounts";
import { invalidate } from "@/shared/lib/tags";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";
import { keepLabelSettings, type LabelSettings, readLabelSettings } from "./labelSettings";
import { firstLayout, type LabelChoice, type LabelLayout, labelFilters, nextStart } from "./labels";
import { locationQueries } from "./queries";

export type LabelPaper = { layout: LabelLayout; start: number };

/** Saves the labels, or a test page of the paper, as PDF. Raises the server's refusal. */
export async function downloadLabels(
  choice: LabelChoice,
  { layout, start }: LabelPaper,
  kept: LabelSettings,
  kind: "labels" | "test",
): Promise<void> {
  const how = {
    ids: choice.ids,
    layout: layout.id,
    start,
    shift_right: shiftOf(kept.right),
    shift_down: shiftOf(kept.down),
    test_page: kind === "test",
  };
  const fallbackName = kind === "test" ? "test-page.pdf" : "labels.pdf";
  if (choice.of === "batches") {
    const body = { ...how, ids: choice.ids ?? [] };
    await downloadMade("batches/labels", { body }, fallbackName);
  } else {
    const filters = labelFilters(choice);
    await downloadMade("inventoryLocations/labels", { body: how, filters }, fallbackName);
  }
}

/** Remembers the paper and its next free position, and refreshes which bins have a label in the lists. */
export function labelsSaved(
  client: QueryClient,
  choice: LabelChoice,
  { layout, start }: LabelPaper,
  kept: LabelSettings,
): void {
  const next = nextStart(layout, start, choice.count);
  keepLabelSettings({ ...kept, layout: layout.id, starts: { ...kept.starts, [layout.id]: next } });
  if (choice.of !== "batches") {
    void invalidate(client, locationQueries.lists());
  }
}

/**
 * Saves labels without a dialog: on the paper that the dialog would begin with, from its next free
 * position. The toast leads to the dialog.
 */
export async function saveLabelsAtOnce(
  client: QueryClient,
  choice: LabelChoice,
  choosePaper: () => void,
): Promise<void> {
  const kept = readLabelSettings();
  try {
    const layouts = await client.fetchQuery(locationQueries.labelLayouts());
    const last = firstLayout(layouts, kept.layout).layout;
    if (!last) return;
    const body = { ids: choice.ids, layout: last.id, start: 1 };
    const plan = await client.fetchQuery(locationQueries.labelPlan({ choice, body }));
    const { layout } = firstLayout(layouts, kept.layout, plan.label_sizes);
    if (!layout) return;
    const paper = { layout, start: kept.starts[layout.id] ?? 1 };
    await downloadLabels(choice, paper, kept, "labels");
    labelsSaved(client, choice, paper, kept);
    toast.success(choice.count === 1 ? "Label saved as PDF" : "Labels saved as PDF", {
      detail: `For ${layout.name}. Print at actual size, without fitting to the page.`,
      action: { label: "Other paper", run: choosePaper },
    });
  } catch (error) {
    tellFailure(error);
  }
}

// Its correction: what is off to the right has to go left.
const shiftOf = (text: string) => -Number(numberOf(text)) || 0;
