/** What the batch pages explain beforehand. apps/batches/rules decides. */

import { colorWords } from "@/shared/lib/colorNames";
import { formatCount, formatNumber } from "@/shared/lib/format";
import { summedWorth, type Worth } from "@/shared/lib/worth";
import {
  type Batch,
  type BatchItem,
  type BatchStats,
  type ItemState,
  PROGRESS_FLAGS,
  type ProgressFlag,
} from "./model";

/** What runs on a batch, in words: "Stowing 45 %". */
const flagWords: Record<ProgressFlag, string> = {
  isStowing: "Stowing",
  isListing: "Listing",
  isExporting: "Exporting",
  isRemoving: "Removing",
  isUpdating: "Updating",
};

export function runningWords(batch: Batch): string[] {
  return PROGRESS_FLAGS.flatMap((flag) => {
    const percent = batch.progress[flag];
    if (!batch[flag]) return [];
    return percent === undefined ? [flagWords[flag]] : [`${flagWords[flag]} ${percent} %`];
  });
}

export const NO_TIME = "–";

/** "2 h 30 min"; "–" below a minute. */
export function activeText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const words = [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean);
  return words.join(" ") || NO_TIME;
}

export type Segment = { state: ItemState; label: string; lots: number; items: number };

/** The three states of a batch's items, in the order that items go through them. */
export function segmentsOf(stats: BatchStats): Segment[] {
  return [
    { state: "new", label: "New", lots: stats.new_lots, items: stats.new_items },
    { state: "stowed", label: "Stowed", lots: stats.stowed_lots, items: stats.stowed_items },
    { state: "listed", label: "Listed", lots: stats.listed_lots, items: stats.listed_items },
  ];
}

/** What a batch is worth, and how many lots that leaves out. */
export const worthIn = ({ stats }: Pick<Batch, "stats">): Worth => summedWorth(stats);

/** Return; null where nothing was paid or nothing is in it. apps/sources/rules decides. */
export function returnOf(
  batch: Pick<Batch, "total_value" | "cost_total" | "batch_item_item_count">,
): number | null {
  const cost = Number(batch.cost_total);
  return cost === 0 || batch.batch_item_item_count === 0 ? null : Number(batch.total_value) / cost;
}

/** "40 (4.8 %)": the pieces of a batch that were thrown out, and which part of all that came. */
export function foreignText(batch: Pick<Batch, "foreign_count" | "stats">): string {
  const [foreign, kept] = [batch.foreign_count ?? 0, batch.stats.total_items];
  if (foreign === 0 || kept === 0) return formatCount(foreign);
  const percent = (100 * foreign) / (foreign + kept);
  return `${formatCount(foreign)} (${formatNumber(percent, 1)} %)`;
}

/** What an item is called in its present state, what works on it included. */
export function statusWords(item: BatchItem): string {
  if (item.is_stowed_pending) return "Stowing…";
  if (item.is_listed_pending) return "Listing…";
  return { new: "New", stowed: "Stowed", listed: "Listed" }[item.state];
}

/** Whether what was tried last with an item was refused, and nothing works on it now. */
export const hasFailed = (item: BatchItem): boolean =>
  item.failure !== "" && !item.is_stowed_pending && !item.is_listed_pending;

export function whyNotStow(items: readonly Pick<BatchItem, "is_stowed">[]): string | null {
  return items.length > 0 && items.every((item) => item.is_stowed)
    ? "All of these are stowed already"
    : null;
}

export function whyNotMarkListed(items: readonly Pick<BatchItem, "state">[]): string | null {
  if (items.length === 0) return null;
  if (items.every((item) => item.state === "listed")) return "All of these are listed already";
  return items.every((item) => item.state === "new") ? "Stow them first" : null;
}

export function whyNotList(
  items: readonly Pick<BatchItem, "state" | "is_listed_pending">[],
): string | null {
  const free = items.filter((item) => !item.is_listed_pending);
  if (items.length > 0 && free.length === 0) return "These are being listed";
  return whyNotMarkListed(free);
}

/** How people recognise an item: number and colour. */
export const itemName = (item: Pick<BatchItem, "item_number" | "item_name" | "color_name">) =>
  [item.item_number || item.item_name, colorWords(item.color_name)].filter(Boolean).join(" ");

/** The body of making another item with all that this one has. */
export function draftOf(item: BatchItem): object {
  const { batch_id, qty, condition, sub_condition, price, cost, bulk, sale, comments, remarks } =
    item;
  const identity =
    item.lot_id === null
      ? {
          item_type: item.item_type,
          item_number: item.item_number,
          item_name: item.item_name,
          ...(item.color_id !== null && { color_id: item.color_id }),
        }
      : { lot_id: item.lot_id };
  return {
    ...{ batch_id, qty, condition, sub_condition, price, cost, bulk, sale, comments, remarks },
    ...identity,
    user_inventory_item_location_id: item.user_inventory_item_location_id,
    reserved: item.reserved,
    ...{ tq1: item.tq1, tp1: item.tp1, tq2: item.tq2, tp2: item.tp2, tq3: item.tq3, tp3: item.tp3 },
    retain: item.retain,
    stockroom: item.stockroom,
    status: item.status,
    unit_weight_grams: item.unit_weight_grams,
    marker_text: item.marker_text,
    marker_color: item.marker_color,
  };
}
