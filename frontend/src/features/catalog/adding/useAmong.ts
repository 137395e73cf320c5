import { useMemo } from "react";
import type { Among } from "@/features/recognition/public";
import { counted } from "@/shared/lib/format";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { batchPickQueries } from "./queries";

/** The parts that a batch can hold, where sets were parted out into it; null: any part. */
export function useAmong(batchId: number | null): Among | null {
  const query = batchPickQueries.knownParts(batchId ?? 0);
  const known = useSideQuery({ ...query, enabled: batchId !== null }, "the batch's parts");
  return useMemo(() => {
    if (!known || known.sets.length === 0) return null;
    const { sets, item_ids: itemIds } = known;
    if (itemIds.length === 0) return null;
    const rest = sets.length - 1;
    const named = rest > 0 ? `${sets[0]} and ${counted(rest, "other set")}` : sets[0];
    return { itemIds, text: `${counted(itemIds.length, "part")} of ${named}` };
  }, [known]);
}
