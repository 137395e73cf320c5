import { type CatalogItem, type ColorOption, stockQueries } from "@/features/catalog/public";
import { type Bin, locationQueries } from "@/features/locations/public";
import type { Asked, Read } from "../asked";
import type { Destination } from "../model";
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
export function binsOf(
  item: CatalogItem | null,
  color: ColorOption | null,
  { card, condition }: Asked,
  session: Session,
  read: Read,
): Bins {
  const { quantity, bin: chosen } = card;
  const lotId = color?.lotId ?? null;
  const grams = item?.weight ? Number(item.weight) : null;
  const near = lastBinName(session);
  const query = read({
    ...stockQueries.destinations(lotId ?? 0, condition, quantity, near),
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
  const own = read(
    { ...locationQueries.detail(ownId ?? 0), enabled: ownId !== null },
    "the bin of your choice",
  );
  const isMissing = own.data && !offered.some((each) => each.id === ownId);
  const all = own.data && isMissing ? [...offered, chosenByPerson(own.data, grams)] : offered;
  const destinations = withPlans(all, plans, quantity);
  const bin = chosen ?? destinations.find((each) => each.recommended) ?? null;
  const settled =
    (lotId === null || (!query.isPending && !query.isPlaceholderData)) && !own.isLoading;
  // If no bin has room for all pieces, the bins with room for one piece are fetched.
  const single = read(
    {
      ...stockQueries.destinations(lotId ?? 0, condition, 1, near),
      enabled: settled && lotId !== null && !bin && quantity > 1,
    },
    "bins that take a part of it",
  );
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
