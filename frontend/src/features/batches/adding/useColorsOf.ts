import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  type CatalogItem,
  catalogQueries,
  meantColor,
  NO_COLOR,
  rankColors,
  recentColors,
  useLockedColor,
} from "@/features/catalog/public";
import type { Condition } from "@/shared/ui/Lot";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { needsColor } from "./draft";

/** The colours an item comes in, likeliest first, each with its price; and the one that is meant. */
export function useColorsOf(item: CatalogItem | null, condition: Condition) {
  const locked = useLockedColor();
  const lots = useQuery({
    ...catalogQueries.lots(item?.id ?? 0, condition),
    enabled: item !== null,
    // The colours stay while the prices of the other condition are fetched.
    placeholderData: (before, query) => (query?.queryKey[2] === item?.id ? before : undefined),
  });
  const all = useSideQuery(catalogQueries.colors(), "the colours");
  const colored = item !== null && needsColor(item, lots.data ?? []);
  const named = item && meantColor(item, lots.data ?? [], locked);
  const options = useMemo(
    () =>
      rankColors(lots.data ?? [], {
        owned: new Map(),
        namedColorId: named,
        recentColorIds: recentColors(),
        commonness: new Map(all?.map((color) => [color.id, color.part_count])),
      }),
    [lots.data, named, all],
  );
  const known = options.filter(({ isKnown }) => isKnown);
  const only = known.length === 1 ? known[0] : undefined;
  const meant =
    options.find(({ colorId }) => colorId === (colored ? named : NO_COLOR.colorId)) ?? only ?? null;
  return {
    options,
    all: all ?? [],
    meant,
    needsColor: colored,
    /** Whether the catalogue has any colours of it: if not, a missing one means nothing. */
    isTold: known.length > 0,
    isReady: item !== null && lots.isSuccess && !lots.isPlaceholderData,
    error: lots.error,
  };
}
