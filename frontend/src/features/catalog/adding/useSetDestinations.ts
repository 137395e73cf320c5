import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { queryRows } from "@/shared/api/queries";
import type { Schema } from "@/shared/api/wire";
import { may } from "@/shared/lib/role";
import { invalidate } from "@/shared/lib/tags";
import { toast } from "@/shared/ui/toast";
import { SEEN_IN_PASSING } from "../queries";

/** A set of the person's that needs the lot. */
export type SetDestination = Schema<"SetDestinationRow">;

export type SetDestinations = {
  sets: readonly SetDestination[];
  pending: boolean;
  error: unknown;
  tryAgain: () => void;
  puttingAside: boolean;
  /** Counts pieces as on hand for the set; calls `onDone` afterwards. */
  putAside: (set: SetDestination, quantity: number, onDone: () => void) => void;
};

const PUT_ASIDE = ["userSets", "putAside"];

type Counted = { set: SetDestination; lot: number; quantity: number };

const NONE: readonly SetDestination[] = [];

const setDestinationsQuery = (lot: number) => ({
  ...queryRows(["userSets", "destinations", lot], "userSets/destinations", { query: { lot } }),
  ...SEEN_IN_PASSING,
});

/** The person's sets that still need this lot. */
export function useSetDestinations(lotId: number | null): SetDestinations {
  const client = useQueryClient();
  const enabled = lotId !== null && may("read userSets/destinations");
  const query = useQuery({ ...setDestinationsQuery(lotId ?? 0), enabled });
  const count = useMutation({
    meta: { tellsFailure: true },
    mutationKey: PUT_ASIDE,
    mutationFn: async ({ set, lot, quantity }: Counted) => {
      await api.post("userSets/{id}/putAside", {
        path: { id: set.user_set_id },
        body: { lot_id: lot, quantity },
      });
      await invalidate(client, "userSets");
    },
  });
  return {
    sets: query.data ?? NONE,
    pending: query.isLoading,
    error: query.error,
    tryAgain: query.refetch,
    puttingAside: count.isPending,
    putAside: (set, wanted, onDone) => {
      // Read from the query client: two quick key presses may come before the next render.
      if (lotId === null || client.isMutating({ mutationKey: PUT_ASIDE }) > 0) return;
      const aside = {
        set,
        lot: lotId,
        quantity: Math.min(wanted, set.qty_required - set.qty_on_hand),
      };
      count.mutate(aside, {
        onSuccess: () => {
          const takeBack = () => count.mutate({ ...aside, quantity: -aside.quantity });
          toast.success(`${aside.quantity} put aside for ${set.number}`, {
            action: { label: "Undo", run: takeBack },
          });
          onDone();
        },
      });
    },
  };
}
