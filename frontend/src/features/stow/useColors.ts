import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  type CatalogItem,
  type ColorOption,
  catalogQueries,
  NO_COLOR,
  narrowColors,
  otherColors,
  rankColors,
} from "@/features/catalog/public";
import { type Card, stepped } from "./card";
import type { Condition, Owned } from "./model";
import { stockQueries } from "./queries";

export type Colors = {
  state: "idle" | "loading" | "ready" | "failed";
  /** Ranked, and narrowed by what is typed. */
  shown: readonly ColorOption[];
  chosen: ColorOption | null;
  /** All that the person has of the item, in any colour. */
  owned: readonly Owned[];
  error: unknown;
  tryAgain: () => void;
};

const NOTHING: readonly Owned[] = [];

/** The colours of the card's item, ranked, and the one that counts now. */
export function useColors(
  item: CatalogItem | null,
  card: Card,
  condition: Condition,
  lastColorId: number | null,
): Colors {
  const id = item?.id ?? 0;
  const lots = useQuery({ ...catalogQueries.lots(id, condition), enabled: id > 0 });
  const stock = useQuery({ ...stockQueries.owned(id), enabled: id > 0 });
  const list = useQuery(catalogQueries.colors());
  const owned = stock.data ?? NOTHING;

  // Only once all is there: a list that is ranked anew while somebody looks at it would put
  // another colour under their Enter. Without stock or the colour list it ranks by what is left.
  const ready = lots.isSuccess && !stock.isPending && !list.isPending;
  const options = useMemo(() => {
    if (!ready || !lots.data) return [];
    if (lots.data.length === 0) return item?.item_type === "PART" ? [] : [NO_COLOR];
    const context = {
      owned: piecesByLot(owned),
      namedColorId: item?.color_id,
      lastColorId,
      commonness: new Map(list.data?.map((color) => [color.id, color.part_count])),
    };
    return rankColors(lots.data, context);
  }, [ready, lots.data, list.data, owned, lastColorId, item?.item_type, item?.color_id]);

  const colors = list.data ?? [];
  const shown = narrowColors(options, colors, card.colorFilter);
  const byPerson = () =>
    [...options, ...otherColors(options, colors)].find((each) => each.colorId === card.colorId);
  const byRank = options[stepped(0, card.colorSteps, options.length)];
  return {
    state: id === 0 ? "idle" : lots.isError ? "failed" : ready ? "ready" : "loading",
    shown,
    chosen: (card.colorId === null ? byRank : byPerson()) ?? null,
    owned,
    error: lots.error,
    tryAgain: lots.refetch,
  };
}

function piecesByLot(owned: readonly Owned[]): Map<number, number> {
  const pieces = new Map<number, number>();
  for (const row of owned) pieces.set(row.lot_id, (pieces.get(row.lot_id) ?? 0) + row.quantity);
  return pieces;
}
