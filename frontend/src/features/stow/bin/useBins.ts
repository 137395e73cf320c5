import { useQuery } from "@tanstack/react-query";
import { stockQueries } from "@/features/catalog/public";
import { type Bin, locationQueries } from "@/features/locations/public";
import { useTellMissing } from "@/shared/ui/sideQuery";
import type { Condition, Destination } from "../model";
import { lastBinName, type Session } from "../session/session";
import {
  chosenByPerson,
  plannedElsewhere,
  plansFor,
  type Share,
  splitOverTwo,
  withPlans,
} from "./plan";

export type Bins = {
  /** `settled`: the recommendation has loaded, or none is needed. */
  settled: boolean;
  bin: Bin | null;
  /** The data of the bin: its room, and the reason for it. */
  destination: Destination | null;
  byPerson: boolean;
  /** Two bins with room for all pieces together, if none has room for all. */
  split: readonly [Share, Share] | null;
  /** The next three, for the keys 7 8 9. */
  alternatives: readonly Destination[];
  error: unknown;
  tryAgain: () => void;
};

const NONE: readonly Destination[] = [];

/** The bin for the pieces on the card: the recommended one, or the one that the person chose. */
export function useBins(options: {
  lotId: number | null;
  condition: Condition;
  quantity: number;
  /** The grams of one piece; null: unknown. */
  grams: number | null;
  chosen: Bin | null;
  session: Session;
}): Bins {
  const { lotId, condition, quantity, grams, chosen, session } = options;
  const query = useQuery({
    ...stockQueries.destinations(lotId ?? 0, condition, quantity, lastBinName(session)),
    enabled: lotId !== null,
    // Another digit of the quantity must not make the bin flicker; a new lot replaces it at once.
    placeholderData: (previous, before) => {
      const sameLot = before?.queryKey[2] === lotId && before.queryKey[3] === condition;
      return sameLot ? previous : undefined;
    },
  });
  const plans = plansFor(session, lotId, condition);
  const offered = query.data ?? NONE;
  // The person may choose a bin that the server did not offer: it is fetched.
  const ownId = chosen?.id ?? plannedElsewhere(offered, plans);
  const own = useQuery({ ...locationQueries.detail(ownId ?? 0), enabled: ownId !== null });
  useTellMissing(own, "the bin of your choice");
  const isMissing = own.data && !offered.some((each) => each.id === own.data.id);
  const all = own.data && isMissing ? [...offered, chosenByPerson(own.data, grams)] : offered;
  const destinations = withPlans(all, plans, quantity);
  const recommended = destinations.find((each) => each.recommended) ?? null;
  const bin = chosen ?? recommended;
  const settled =
    (lotId === null || (!query.isPending && !query.isPlaceholderData)) && !own.isLoading;
  // If no bin has room for all pieces, the bins with room for one piece are fetched.
  const single = useQuery({
    ...stockQueries.destinations(lotId ?? 0, condition, 1, lastBinName(session)),
    enabled: settled && lotId !== null && !bin && quantity > 1,
  });
  useTellMissing(single, "bins that take a part of it");
  const forOne = withPlans(single.data ?? NONE, plans, 1);
  return {
    settled: settled && !single.isLoading,
    split: bin ? null : splitOverTwo(forOne, quantity, grams),
    bin: bin && { id: bin.id, name: bin.name },
    destination: destinations.find((each) => each.id === bin?.id) ?? null,
    byPerson: chosen !== null,
    alternatives: destinations.filter((each) => each.id !== bin?.id).slice(0, 3),
    error: query.error,
    tryAgain: query.refetch,
  };
}
