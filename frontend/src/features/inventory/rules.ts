/**
 * What the inventory's dialogs explain beforehand. apps/inventory/rules decides. Nothing here is for
 * the page's first view, which is full.
 */
import { wholeOf, whyNotPieces } from "@/shared/lib/amounts";
import { counted, formatCount } from "@/shared/lib/format";
import { movementReasons } from "@/shared/lib/movementReasons";
import type { ListParams } from "@/shared/table/column";
import type { ChosenRows, InventoryItem, Movement } from "./model";
import type { Shown } from "./queries";

/** Why so many pieces of a row cannot be moved, or null. */
export function whyNotMove(text: string, item: Pick<InventoryItem, "quantity">): string | null {
  const tooMany =
    wholeOf(text) > item.quantity ? `There are only ${formatCount(item.quantity)} here.` : null;
  return whyNotPieces(text) ?? tooMany;
}

/** What happened, and where: "Moved from A-01 to B-07". */
export function movementWords(movement: Movement): string {
  const { reason, from_location_name: from, to_location_name: to } = movement;
  const words = movementReasons[reason] ?? reason;
  if (reason === "split" && from === to) return `${words}, in ${from ?? "no bin"}`;
  if (reason === "move" || (from && to)) {
    return `${words} from ${from ?? "no bin"} to ${to ?? "no bin"}`;
  }
  if (to) return `${words}, in ${to}`;
  return from ? `${words}, out of ${from}` : words;
}

/** The rows of a selection as the calls on many rows take them. */
export function chosenRows(
  selection: { ids: readonly string[]; allMatching: boolean; params: ListParams },
  shown: Shown,
): ChosenRows {
  if (!selection.allMatching) return { ids: selection.ids.map(Number) };
  const { page: _page, page_size: _size, ordering: _ordering, ...narrowing } = selection.params;
  const filter: Record<string, string> = {};
  for (const [name, value] of Object.entries(narrowing)) {
    if (value !== undefined && value !== "") filter[name] = String(value);
  }
  if (shown.zeroQuantity) filter.show_zero_quantity = "true";
  if (shown.unconsolidated) filter.unconsolidated = "true";
  return { filter };
}

/** Why a row cannot be split so, or null. A split leaves something behind. */
export function whyNotSplit(text: string, item: Pick<InventoryItem, "quantity">): string | null {
  const tooMany =
    wholeOf(text) >= item.quantity
      ? `At most ${formatCount(item.quantity - 1)}: something has to stay.`
      : null;
  return whyNotPieces(text) ?? tooMany;
}

export const piecesIn = (count: number): string => counted(count, "piece");
export const rowsIn = (count: number): string => counted(count, "row");
