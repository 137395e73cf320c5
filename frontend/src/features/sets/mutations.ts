import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ABOUT_ONE_BATCH } from "@/features/batches/public";
import type { AddedItem } from "@/features/catalog/public";
import { type KeyedCall, keyed } from "@/shared/api/bulk";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { problemText } from "@/shared/lib/problem";
import { clientStore } from "@/shared/store/clientStore";
import type { Condition } from "@/shared/ui/Lot";
import { toast } from "@/shared/ui/toast";
import type {
  AddedMany,
  BuildSearch,
  PartedOut,
  SetPart,
  SetState,
  SetTake,
  SubCondition,
  Taken,
  UserSet,
} from "./model";
import { setQueries } from "./queries";

/** What taking from stock changes beside the sets. */
const STOCK = ["inventory", "locations"] as const;

const ABOUT_ONE_SET = [
  ["userSets", "detail"],
  ["userSets", "summary"],
  ["userSets", "leftOut"],
  ["userSets", "minifigParts"],
  ["userSets", "minifigs"],
  ["userSets", "takes"],
  ["userSets", "takePlan"],
] as const;

function useRefresh(...also: readonly string[]) {
  const client = useQueryClient();
  return () => {
    for (const key of [...setQueries.all(), ...also]) {
      void client.invalidateQueries({ queryKey: [key] });
    }
  };
}

export function useAddSets() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (values: {
      numbers: string;
      state: string;
      condition: string;
      again: boolean;
    }) => one(await api.post<AddedMany>("userSets/addMany", values)),
    onSuccess: refresh,
  });
}

export function useEditSet() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (edit: { set: UserSet; changes: Partial<UserSet>; call?: KeyedCall }) => {
      const body = { ...edit.changes, updatedAt: edit.set.updatedAt };
      return one(await api.patch<UserSet>(`userSets/${edit.set.id}`, body, keyed(edit.call)));
    },
    onSuccess: refresh,
  });
}

export function useDeleteSet() {
  const refresh = useRefresh();
  return useMutation({
    meta: { deletes: { about: ABOUT_ONE_SET } },
    mutationFn: (id: number) => api.delete(`userSets/${id}`),
    onSuccess: refresh,
  });
}

/** Says how many of a part are on hand; refused where that changed since it was seen. */
export function useCountPart() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (edit: { part: SetPart; onHand: number; call?: KeyedCall }) => {
      const body = { quantity_on_hand: edit.onHand, seen: edit.part.quantity_on_hand };
      const path = `userSetParts/${edit.part.id}`;
      return one(await api.patch<SetPart>(path, body, keyed(edit.call)));
    },
    onSuccess: refresh,
  });
}

/** Puts pieces aside for a set, or takes them back: by the piece, whatever others counted. */
export function usePutAside() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ part, quantity }: { part: SetPart; quantity: number }) => {
      const body = { lot_id: part.lot_id, quantity };
      return one(await api.post<UserSet>(`userSets/${part.user_set_id}/putAside`, body));
    },
    onSuccess: refresh,
    onError: (error) => toast.error(problemText(error)),
  });
}

export function useCompleteSet() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ id, missing }: { id: number; missing: "" | "keep" | "have" }) =>
      one(await api.post<UserSet>(`userSets/${id}/complete`, { missing })),
    onSuccess: refresh,
  });
}

export function useRenewContents() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (id: number) => one(await api.post<UserSet>(`userSets/${id}/renewContents`)),
    onSuccess: refresh,
  });
}

export function useTake() {
  const refresh = useRefresh(...STOCK);
  return useMutation({
    mutationFn: async ({ id, body }: { id: number; body: object }) =>
      one(await api.post<Taken>(`userSets/${id}/take`, body)),
    onSuccess: refresh,
  });
}

export function useUndoTake() {
  const refresh = useRefresh(...STOCK);
  return useMutation({
    mutationFn: async ({ id, takeId }: { id: number; takeId: number }) =>
      one(await api.post<SetTake>(`userSets/${id}/undoTake`, { take_id: takeId })),
    onSuccess: refresh,
  });
}

export function usePartOut() {
  const refresh = useRefresh("batches", "batchItems");
  return useMutation({
    mutationFn: async (body: object) => one(await api.post<PartedOut>("batches/partOut", body)),
    onSuccess: refresh,
  });
}

type NewSetItem = {
  batch_id: number;
  qty: number;
  condition: Condition;
  sub_condition: SubCondition;
  price: string;
};

/** The set is in the batch, but was not called for sale. */
class NotForSale extends Error {
  constructor(cause: unknown) {
    super(`It is in the batch, but not marked as for sale: ${problemText(cause)}`);
  }
}

/** Puts a set into a batch as one item and calls it for sale: both or neither. */
export function useSellSet() {
  const refresh = useRefresh("batches", "batchItems");
  return useMutation({
    mutationFn: async ({ set, item }: { set: UserSet; item: NewSetItem }) => {
      const added = one(
        await api.post<AddedItem>("batchItems", {
          item_type: "SET",
          item_number: set.number,
          color_id: 0,
          ...item,
        }),
      );
      const changes = { state: "for_sale", updatedAt: set.updatedAt };
      let now: UserSet;
      try {
        now = one(await api.patch<UserSet>(`userSets/${set.id}`, changes));
      } catch (error) {
        const path = `batchItems/${added.id}`;
        const isOut = await api.delete(path).then(
          () => true,
          () => false,
        );
        throw isOut ? error : new NotForSale(error);
      }
      const { colorName, ...last } = added.last_added;
      clientStore.set("lastBatchItemAdded", { ...last, color: colorName });
      return { itemId: added.id, set: now };
    },
    onSettled: refresh,
  });
}

/** Takes a set out of the batch again and gives it back the state that it had. */
export function useTakeOffSale() {
  const refresh = useRefresh("batches", "batchItems");
  return useMutation({
    mutationFn: async (sale: { itemId: number; set: UserSet; state: SetState }) => {
      await api.delete(`batchItems/${sale.itemId}`);
      const changes = { state: sale.state, updatedAt: sale.set.updatedAt };
      return one(await api.patch<UserSet>(`userSets/${sale.set.id}`, changes));
    },
    onSuccess: ({ number }) => toast.success(`${number} is no longer for sale`),
    onError: (error) => toast.error(problemText(error)),
    onSettled: refresh,
  });
}

/** Takes a batch away that a part-out has just made. */
export function useDropBatch() {
  const refresh = useRefresh("batches", "batchItems");
  return useMutation({
    meta: { deletes: { about: ABOUT_ONE_BATCH } },
    mutationFn: ({ id, name }: { id: number; name: string }) =>
      api.delete(`batches/${id}?${new URLSearchParams({ name })}`),
    onSuccess: refresh,
  });
}

export function useStartSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (values: { least_pieces: number; least_percent: number }) =>
      one(await api.post<BuildSearch>("buildSearches", values)),
    onSuccess: () => client.invalidateQueries({ queryKey: ["buildSearches"] }),
  });
}
