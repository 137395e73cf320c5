import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  type CatalogItem,
  type ColorOption,
  catalogQueries,
  narrowColors,
} from "@/features/catalog/public";
import type { Card } from "./card";
import { chosenColor, colorOptions } from "./choices";
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
    if (!ready || !item) return [];
    const fetched = { lots: lots.data ?? [], owned, colors: list.data ?? [] };
    return colorOptions(item, fetched, lastColorId);
  }, [ready, lots.data, list.data, owned, lastColorId, item]);

  const colors = list.data ?? [];
  return {
    state: id === 0 ? "idle" : lots.isError ? "failed" : ready ? "ready" : "loading",
    shown: narrowColors(options, colors, card.colorFilter),
    chosen: chosenColor(options, colors, card),
    owned,
    error: lots.error,
    tryAgain: lots.refetch,
  };
}
