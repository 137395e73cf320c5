/**
 * The colours of a person's work: the last used ones, which are ranked first, and the locked one,
 * which applies to the next parts even if another colour is recognised or owned.
 */
import * as z from "zod/mini";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { PERSONAL } from "@/shared/lib/person";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { NO_COLOR } from "./colorRanking";
import type { CatalogItem, CatalogLot } from "./model";

const SETTING = `${PERSONAL}recentColors`;
/** As many as a table is sorted into at once; more would push down what is owned. */
const KEPT = 5;
const ids = z.catch(z.array(z.int()), []);

/** The ids of the colours that were added last, newest first. */
export function recentColors(): number[] {
  return ids.parse(getSetting(SETTING) ?? []);
}

export function rememberColor(colorId: number): void {
  if (colorId === NO_COLOR.colorId) return;
  const others = recentColors().filter((each) => each !== colorId);
  setSetting(SETTING, [colorId, ...others].slice(0, KEPT));
}

export const useLockedColor = (): number | null => useClientState("options.lockedColorId");
export const lockedColor = (): number | null => clientStore.get("options.lockedColorId");

export function lockColor(colorId: number | null): void {
  clientStore.set("options.lockedColorId", colorId);
}

/**
 * The colour that an item is meant in: the locked one, else the one that was seen or typed. The
 * lock says nothing about what comes in no colour at all, such as a set.
 */
export function meantColor(
  item: Pick<CatalogItem, "item_type" | "color_id">,
  lots: readonly Pick<CatalogLot, "color_id">[],
  locked: number | null,
): number | null {
  return (isColored(item, lots) ? locked : null) ?? item.color_id ?? null;
}

/**
 * What leaves the colour open, where no lock decides: the words that were typed and may mean
 * several, or nothing ("") where none was named and there are several. Null: it is not open.
 */
export function openColor(
  item: Pick<CatalogItem, "item_type" | "color_id" | "color_text">,
  lots: readonly Pick<CatalogLot, "color_id">[],
  locked: number | null,
): string | null {
  if (locked !== null || !isColored(item, lots)) return null;
  if (item.color_text) return item.color_text;
  return (item.color_id ?? null) === null && lots.length > 1 ? "" : null;
}

function isColored(
  item: Pick<CatalogItem, "item_type">,
  lots: readonly Pick<CatalogLot, "color_id">[],
): boolean {
  return lots.length === 0
    ? item.item_type === "PART"
    : lots.some(({ color_id }) => color_id !== NO_COLOR.colorId);
}
