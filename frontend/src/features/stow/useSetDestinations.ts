import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";
import { SEEN_IN_PASSING } from "./queries";

/** A set of the person's that still lacks the lot. */
export type SetDestination = {
  user_set_id: number;
  number: string;
  name: string;
  qty_required: number;
  qty_on_hand: number;
};

export type SetDestinations = {
  sets: readonly SetDestination[];
  /** Counts pieces as on hand for the set; `onDone` when they are. */
  putAside: (set: SetDestination, quantity: number, onDone: () => void) => void;
};

const NONE: readonly SetDestination[] = [];

const setDestinationsQuery = (lot: number) =>
  queryOptions({
    queryKey: ["userSets", "destinations", lot],
    queryFn: async ({ signal }) =>
      (await api.get<SetDestination>("userSets/destinations", { lot }, { signal })).data,
    ...SEEN_IN_PASSING,
  });

/** Which of the person's sets still need this lot. */
export function useSetDestinations(lotId: number | null): SetDestinations {
  const client = useQueryClient();
  const query = useQuery({ ...setDestinationsQuery(lotId ?? 0), enabled: lotId !== null });
  const refresh = () => client.invalidateQueries({ queryKey: ["userSets"] });

  const count = async (set: SetDestination, quantity: number) => {
    await api.post(`userSets/${set.user_set_id}/putAside`, { lot_id: lotId, quantity });
    await refresh();
  };
  return {
    sets: query.data ?? NONE,
    putAside: (set, wanted, onDone) => {
      const quantity = Math.min(wanted, set.qty_required - set.qty_on_hand);
      count(set, quantity).then(
        () => {
          const takeBack = () => {
            count(set, -quantity).catch((error: unknown) => toast.error(problemText(error)));
          };
          toast.success(`${quantity} put aside for ${set.number}`, {
            action: { label: "Undo", run: takeBack },
          });
          onDone();
        },
        (error: unknown) => toast.error(problemText(error)),
      );
    },
  };
}
