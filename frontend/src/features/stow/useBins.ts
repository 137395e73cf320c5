import { useQuery } from "@tanstack/react-query";
import { type Location, locationQueries } from "@/features/locations/public";
import type { Condition, Destination } from "./model";
import { plansFor, withPlans } from "./plan";
import { stockQueries } from "./queries";
import type { Bin, Session } from "./session";

export type Bins = {
  /** `settled`: the recommendation is there, or there is none to wait for. */
  settled: boolean;
  bin: Bin | null;
  /** What is known of the bin: its room, and why it is offered. */
  destination: Destination | null;
  byPerson: boolean;
  /** The next three, for the keys 7 8 9. */
  alternatives: readonly Destination[];
  error: unknown;
  tryAgain: () => void;
};

const NONE: readonly Destination[] = [];

/** Where the pieces on the card go: the recommended bin, or the one that the person chose. */
export function useBins(options: {
  lotId: number | null;
  condition: Condition;
  quantity: number;
  chosen: Bin | null;
  session: Session;
}): Bins {
  const { lotId, condition, quantity, chosen, session } = options;
  const query = useQuery({
    ...stockQueries.destinations(lotId ?? 0, condition, quantity),
    enabled: lotId !== null,
    // Another digit of the quantity must not make the bin flicker; another lot must.
    placeholderData: (previous, before) => {
      const sameLot = before?.queryKey[2] === lotId && before.queryKey[3] === condition;
      return sameLot ? previous : undefined;
    },
  });
  // A bin of the person's own choice may be one that is never recommended.
  const own = useQuery({
    ...locationQueries.detail(chosen?.id ?? 0),
    enabled: chosen !== null,
  });
  const plans = plansFor(session, lotId, condition);
  const destinations = withPlans(query.data ?? NONE, plans, quantity);
  const recommended = destinations.find((each) => each.recommended) ?? null;
  const bin = chosen ?? recommended;
  const known = destinations.find((each) => each.id === bin?.id);
  return {
    settled: lotId === null || (!query.isPending && !query.isPlaceholderData),
    bin: bin && { id: bin.id, name: bin.name },
    destination: known ?? (chosen && own.data ? chosenByPerson(own.data) : null),
    byPerson: chosen !== null,
    alternatives: destinations.filter((each) => each.id !== bin?.id).slice(0, 3),
    error: query.error,
    tryAgain: query.refetch,
  };
}

function chosenByPerson(location: Location): Destination {
  const { id, name, is_full, available_item_count, item_count, max_item_count } = location;
  return {
    id,
    name,
    qty_on_hand: 0,
    lastSold: "unknown",
    recommended: false,
    reason: is_full ? "chosen by you, but it is marked full" : "chosen by you",
    available_item_count,
    item_count,
    max_item_count,
  };
}
