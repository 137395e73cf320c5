/** The station's proposals for an item, computed from fetched data. */

import {
  type CatalogItem,
  type CatalogLot,
  type Color,
  type ColorOption,
  type LotContext,
  type LotMark,
  type LotViewOptions,
  marksOf,
  meantColor,
  NO_COLOR,
  narrowColors,
  type Owned,
  otherColors,
  rankColors,
  viewLots,
} from "@/features/catalog/public";
import type { PriceRule } from "@/features/marketplace/public";
import { stepped } from "@/shared/lib/stepped";
import { type Card, numberBeforeWords } from "../find/card";
import type { Session } from "../session/session";

export type Fetched = {
  lots: readonly CatalogLot[];
  owned: readonly Owned[];
  colors: readonly Color[];
};

/**
 * Inputs for ranking the colours besides the fetched data: the last used ones, and the locked one.
 */
export type ColorHabits = { recent: readonly number[]; locked: number | null };

/** The item's colours, ranked. A part without colours has none; a set has the colour "none". */
export function colorOptions(
  item: CatalogItem,
  { lots, owned, colors }: Fetched,
  { recent, locked }: ColorHabits,
): ColorOption[] {
  const meant = meantColor(item, lots, locked);
  if (lots.length === 0 && item.item_type !== "PART") return [NO_COLOR];
  const ranked = rankColors(lots, {
    owned: piecesByLot(owned),
    namedColorId: meant,
    recentColorIds: recent,
    commonness: new Map(colors.map((color) => [color.id, color.part_count])),
  });
  // No catalogue has every colour: a named or recognised one comes first even if it is unknown.
  const named = otherColors(ranked, colors).filter(({ colorId }) => colorId === meant);
  return [...named, ...ranked];
}

function piecesByLot(owned: readonly Owned[]): Map<number, number> {
  const pieces = new Map<number, number>();
  for (const row of owned) pieces.set(row.lot_id, (pieces.get(row.lot_id) ?? 0) + row.quantity);
  return pieces;
}

/** Whether the text names the first of the matches and its colour, and nothing else. */
export function isSaid(card: Card, matches: readonly CatalogItem[]): boolean {
  const number = numberBeforeWords(card)?.toLowerCase();
  const named = matches.filter(({ item_number }) => item_number.toLowerCase() === number);
  const [first] = matches;
  return named.length === 1 && named[0] === first && (first?.color_id ?? null) !== null;
}

/** The inputs of the colour options; undefined until the low values are known. */
export type ColorView = { options: LotViewOptions; context: LotContext };

export type Offered = {
  options: readonly ColorOption[];
  /** By lot, while highlighting is on. */
  marks: ReadonlyMap<number, readonly LotMark[]>;
  lowValueHidden: number;
  inBatchHidden: number;
};

/** Applies the options to the ranked colours. If they would hide all colours, none is hidden. */
export function offeredColors(
  ranked: readonly ColorOption[],
  lots: readonly CatalogLot[],
  view: ColorView | undefined,
): Offered {
  const all = { options: ranked, marks: new Map(), lowValueHidden: 0, inBatchHidden: 0 };
  if (!view) return all;
  const { shown, lowValueHidden, inBatchHidden } = viewLots(lots, view.options, view.context);
  const marks = new Map(
    view.options.highlight ? lots.map((lot) => [lot.id, marksOf(lot, view.context)]) : [],
  );
  const left = new Set(shown.map(({ id }) => id));
  const options = ranked.filter(({ lotId }) => lotId === null || left.has(lotId));
  return options.length === 0
    ? { ...all, marks }
    : { options, marks, lowValueHidden, inBatchHidden };
}

/**
 * The colour that applies: the chosen one, otherwise the first one moved by the steps. While the
 * colour is `open` (no name, or words with several meanings), there is none until the person
 * chooses.
 */
export function chosenColor(
  { offered, ranked }: { offered: readonly ColorOption[]; ranked: readonly ColorOption[] },
  colors: readonly Color[],
  { colorId, colorSteps }: Pick<Card, "colorId" | "colorSteps">,
  open: string | null = null,
): ColorOption | null {
  if (colorId !== null) {
    const all = [...ranked, ...otherColors(ranked, colors)];
    return all.find((each) => each.colorId === colorId) ?? null;
  }
  if (open === null) return offered[stepped(0, colorSteps, offered.length)] ?? null;
  if (colorSteps === 0) return null;
  const fitting = open ? narrowColors(ranked, colors, open) : offered;
  return fitting[stepped(colorSteps > 0 ? -1 : 0, colorSteps, fitting.length)] ?? null;
}

/**
 * Undefined until the values are known: then no colour is hidden. While the colour is asked for, the
 * piece is in the person's hand: no colour is hidden for its low value.
 */
export function colorViewOf(given: {
  /** The colour that applies; it is never hidden. */
  meant: number | null;
  options: LotViewOptions;
  rule: PriceRule | undefined;
  owned: readonly Owned[];
  existing: readonly number[];
  /** Only for marks: background lookups do not need it. */
  needed?: readonly number[] | undefined;
  session: Session;
  batchId: number | null;
}): ColorView | undefined {
  const { options, rule, owned, existing, session, batchId } = given;
  if (!rule) return undefined;
  const added = session.rows
    .filter(({ draft, quantity }) => draft.batchId === batchId && quantity > 0)
    .flatMap(({ draft }) => draft.lotId ?? []);
  return {
    options: given.meant === null ? { ...options, showLowValueLots: true } : options,
    context: {
      owned: new Set(owned.filter(({ quantity }) => quantity > 0).map(({ lot_id }) => lot_id)),
      inBatch: new Set([...existing, ...added]),
      needed: new Set(given.needed),
      lowValue: Number(rule.low_value),
      highValue: Number(rule.high_value),
      keepColorId: given.meant,
    },
  };
}
