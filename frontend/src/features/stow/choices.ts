/** What the station proposes for an item, from what was fetched: pure, for the card and for adds
 * that were typed ahead alike. */
import {
  type CatalogItem,
  type CatalogLot,
  type Color,
  type ColorOption,
  NO_COLOR,
  otherColors,
  rankColors,
} from "@/features/catalog/public";
import { type Card, stepped } from "./card";
import type { Owned } from "./model";

export type Fetched = {
  lots: readonly CatalogLot[];
  owned: readonly Owned[];
  colors: readonly Color[];
};

/** The item's colours, ranked. A part without any has none; a set has the one that is no colour. */
export function colorOptions(
  item: CatalogItem,
  { lots, owned, colors }: Fetched,
  lastColorId: number | null,
): ColorOption[] {
  if (lots.length === 0) return item.item_type === "PART" ? [] : [NO_COLOR];
  const ranked = rankColors(lots, {
    owned: piecesByLot(owned),
    namedColorId: item.color_id,
    lastColorId,
    commonness: new Map(colors.map((color) => [color.id, color.part_count])),
  });
  // No catalogue knows every colour: the one that was named or seen comes first all the same.
  const named = otherColors(ranked, colors).filter(({ colorId }) => colorId === item.color_id);
  return [...named, ...ranked];
}

function piecesByLot(owned: readonly Owned[]): Map<number, number> {
  const pieces = new Map<number, number>();
  for (const row of owned) pieces.set(row.lot_id, (pieces.get(row.lot_id) ?? 0) + row.quantity);
  return pieces;
}

/** The colour that counts: the one that was chosen, else the first, so many steps on. */
export function chosenColor(
  options: readonly ColorOption[],
  colors: readonly Color[],
  { colorId, colorSteps }: Pick<Card, "colorId" | "colorSteps">,
): ColorOption | null {
  if (colorId === null) return options[stepped(0, colorSteps, options.length)] ?? null;
  const all = [...options, ...otherColors(options, colors)];
  return all.find((each) => each.colorId === colorId) ?? null;
}
