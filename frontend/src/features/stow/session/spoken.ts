/** The texts for screen readers at the station: the match, the bin, and the result of an add. */
import type { CatalogItem, ColorOption } from "@/features/catalog/public";
import type { Bin } from "@/features/locations/public";
import type { Share } from "../bin/plan";
import type { Outcome } from "./sender";

/** The card in a sentence: "3001, Brick 2 x 4, Red, 34 owned. Bin A-01, same lot." */
export function spokenCard(card: {
  item: CatalogItem | null;
  color: ColorOption | null;
  /** No colour is chosen: the item comes in several. */
  asks?: boolean;
  bin: Bin | null;
  /** Two bins, if none has room for all pieces. */
  split?: readonly Share[] | null;
  reason: string;
}): string {
  const { item, color, asks, bin, split, reason } = card;
  if (!item) return "";
  const what = [
    item.item_number,
    item.item_name,
    color?.name,
    color && color.owned > 0 && `${color.owned} owned`,
  ];
  const shares = split?.map((share) => `${share.pieces} in bin ${share.bin.name}`);
  const where = bin ? [`Bin ${bin.name}`, reason] : (shares ?? ["No bin yet"]);
  const then = color ? sentence(where) : asks ? "Which colour?" : "";
  return `${sentence(what)} ${then}`.trim();
}

/** The result of a call, in a sentence. Refusals are read out at their row. */
export function spokenOutcome({ row, did, problem }: Outcome): string {
  const { draft, quantity, bin } = row;
  const name = `${draft.itemNumber} ${draft.colorName}`;
  if (problem) return "";
  if (did === "stow") return `${quantity} ${name} stowed in ${bin?.name ?? "its bin"}.`;
  if (did === "remove") return `${name} taken back.`;
  if (did === "quantity") return `${quantity} ${name}.`;
  return did === "add" ? `Added ${quantity} ${name}${bin ? ` for ${bin.name}` : ""}.` : "";
}

const sentence = (parts: readonly (string | false | null | undefined)[]) =>
  `${parts.filter(Boolean).join(", ")}.`;
