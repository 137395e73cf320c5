/** What the inventory's pages explain beforehand. apps/inventory/rules decides. */
import { formatCount } from "@/shared/lib/format";
import type { InventoryItem, Movement, Reason } from "./model";

/** Why so many pieces of a row cannot be moved, or null. */
export function whyNotMove(text: string, item: Pick<InventoryItem, "quantity">): string | null {
  if (!/^\d+$/.test(text.trim()) || Number(text) === 0) return "A whole number, at least 1.";
  return Number(text) > item.quantity ? `There are only ${formatCount(item.quantity)} here.` : null;
}

const reasonWords: Record<Reason, string> = {
  stow: "Stowed from a batch",
  remove: "Taken out, back into its batch",
  move: "Moved",
  edit: "Corrected",
  import: "Set by a BSX import",
  undo: "An earlier change undone",
  sale: "Sold",
  consolidate: "Consolidated",
};

/** What happened, and where: "Moved from A-01 to B-07". */
export function movementWords(movement: Movement): string {
  const { reason, from_location_name: from, to_location_name: to } = movement;
  const words = reasonWords[reason] ?? reason;
  if (reason === "move" || (from && to)) {
    return `${words} from ${from ?? "no location"} to ${to ?? "no location"}`;
  }
  if (to) return `${words}, in ${to}`;
  return from ? `${words}, out of ${from}` : words;
}

export const signed = (delta: number): string =>
  delta > 0 ? `+${formatCount(delta)}` : `−${formatCount(-delta)}`;
