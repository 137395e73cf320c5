import { type MutationMeta, useMutation, useQueryClient } from "@tanstack/react-query";
import { ABOUT_ONE_BATCH } from "@/features/batches/public";
import { type RowEdit, sentOfEdit } from "@/shared/api/bulk";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { BodyOf, Schema } from "@/shared/api/wire";
import { problemText } from "@/shared/lib/problem";
import { invalidate } from "@/shared/lib/tags";
import { savesRow, wireOf } from "@/shared/outbox/unsent";
import { clientStore } from "@/shared/store/clientStore";
import { toast } from "@/shared/ui/toast";
import type { SetPart, SetState, UserSet } from "./model";

export type SetChanges = Omit<BodyOf<"patch", "userSets/{id}">, "updatedAt">;

const ABOUT_ONE_SET = [
  ["userSets", "detail"],
  ["userSets", "summary"],
  ["userSets", "leftOut"],
  ["userSets", "minifigParts"],
  ["userSets", "minifigs"],
  ["userSets", "takes"],
] as const;

const SETS = ["userSets"] as const;
const SETS_AND_STOCK = ["userSets", "inventory", "locations"] as const;
const SETS_AND_BATCHES = ["userSets", "batches", "batchItems"] as const;

function useRefreshSales() {
  const client = useQueryClient();
  return () => void invalidate(client, ...SETS_AND_BATCHES);
}

export function useAddSets(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: SETS, ...meta },
    mutationFn: async (values: BodyOf<"post", "userSets/addMany">) =>
      one(await api.post("userSets/addMany", { body: values })),
  });
}

/** What the table of sets sends of one row. */
export const saveSetOf = savesRow("userSets/{id}", SETS);

export function useEditSet() {
  return useMutation({
    meta: { stale: SETS },
    mutationFn: async (edit: RowEdit<UserSet, SetChanges>) =>
      one(await api.patch("userSets/{id}", sentOfEdit(edit))),
  });
}

export function useDeleteSet(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: SETS, deletes: { about: ABOUT_ONE_SET }, ...meta },
    mutationFn: (id: number) => api.delete("userSets/{id}", { path: { id } }),
  });
}

const countOf = ({ id, quantity_on_hand: seen }: SetPart, onHand: number) => ({
  path: { id },
  body: { quantity_on_hand: onHand, seen },
});

/** What the table of a set's parts sends of one row. */
export const savePartOf = (part: SetPart, { quantity_on_hand: onHand }: Partial<SetPart>) => ({
  ...wireOf("patch", "userSetParts/{id}", countOf(part, onHand ?? part.quantity_on_hand)),
  stale: SETS,
});

/** Says how many of a part are on hand; refused where that changed since it was seen. */
export function useCountPart(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: SETS, ...meta },
    mutationFn: async (edit: { part: SetPart; onHand: number }) =>
      one(await api.patch("userSetParts/{id}", countOf(edit.part, edit.onHand))),
  });
}

/** Adds pieces to a set's count, or subtracts them: relative, so that other counts are kept. */
export function usePutAside() {
  return useMutation({
    meta: { stale: SETS, tellsFailure: true },
    mutationFn: async ({ part, quantity }: { part: SetPart; quantity: number }) => {
      const body = { lot_id: part.lot_id, quantity };
      return one(
        await api.post("userSets/{id}/putAside", { path: { id: part.user_set_id }, body }),
      );
    },
  });
}

export function useCompleteSet() {
  return useMutation({
    meta: { stale: SETS, tellsFailure: true },
    mutationFn: async ({ id, missing }: { id: number; missing: "" | "keep" | "have" }) =>
      one(await api.post("userSets/{id}/complete", { path: { id }, body: { missing } })),
  });
}

export type Completed = Schema<"CompletedRow">;

/** Gives a completed set back its state and the counts that were raised with it. */
export function useUndoComplete() {
  return useMutation({
    meta: { stale: SETS },
    mutationFn: ({ id, ...body }: { id: number } & BodyOf<"post", "userSets/{id}/undoComplete">) =>
      api.post("userSets/{id}/undoComplete", { path: { id }, body }),
  });
}

export function useRenewContents() {
  return useMutation({
    meta: { stale: SETS, tellsFailure: true },
    mutationFn: async (id: number) =>
      one(await api.post("userSets/{id}/renewContents", { path: { id } })),
  });
}

export type Renewed = Schema<"RenewedRow">;

/** Gives a set back the parts that it required before they were copied again. */
export function useUndoRenew() {
  return useMutation({
    meta: { stale: SETS },
    mutationFn: ({ set, replaced }: { set: number; replaced: Renewed["replaced"] }) =>
      api.post("userSets/{id}/undoRenewContents", { path: { id: set }, body: replaced }),
  });
}

export function useTake() {
  return useMutation({
    meta: { stale: SETS_AND_STOCK, tellsFailure: true },
    mutationFn: async ({ id, body }: { id: number; body: BodyOf<"post", "userSets/{id}/take"> }) =>
      one(await api.post("userSets/{id}/take", { path: { id }, body })),
  });
}

export function useUndoTake() {
  return useMutation({
    meta: { stale: SETS_AND_STOCK, tellsFailure: true },
    mutationFn: async ({ id, takeId }: { id: number; takeId: number }) =>
      one(await api.post("userSets/{id}/undoTake", { path: { id }, body: { take_id: takeId } })),
  });
}

export function usePartOut() {
  return useMutation({
    meta: { stale: SETS_AND_BATCHES, tellsFailure: true },
    mutationFn: async (body: BodyOf<"post", "batches/partOut">) =>
      one(await api.post("batches/partOut", { body })),
  });
}

type NewSetItem = Required<
  Pick<
    Schema<"BatchItemWriteRequest">,
    "batch_id" | "qty" | "condition" | "sub_condition" | "price"
  >
>;

/** The set is in the batch, but was not called for sale. */
class NotForSale extends Error {
  constructor(cause: unknown) {
    super(`It is in the batch, but not marked as for sale: ${problemText(cause)}`);
  }
}

/** Puts a set into a batch as one item and calls it for sale: both or neither. */
export function useSellSet() {
  const refresh = useRefreshSales();
  return useMutation({
    mutationFn: async ({ set, item }: { set: UserSet; item: NewSetItem }) => {
      const added = one(
        await api.post("batchItems", {
          body: {
            item_type: "SET",
            item_number: set.number,
            color_id: 0,
            ...item,
          },
        }),
      );
      const changes = { state: "for_sale", updatedAt: set.updatedAt } as const;
      let now: UserSet;
      try {
        now = one(await api.patch("userSets/{id}", { path: { id: set.id }, body: changes }));
      } catch (error) {
        const path = { id: added.id };
        const isOut = await api.delete("batchItems/{id}", { path }).then(
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
  const refresh = useRefreshSales();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async (sale: { itemId: number; set: UserSet; state: SetState }) => {
      await api.delete("batchItems/{id}", { path: { id: sale.itemId } });
      const changes = { state: sale.state, updatedAt: sale.set.updatedAt };
      return one(await api.patch("userSets/{id}", { path: { id: sale.set.id }, body: changes }));
    },
    onSuccess: ({ number }) => toast.success(`${number} is no longer for sale`),
    onSettled: refresh,
  });
}

/** Takes a batch away that a part-out has just made. */
export function useDropBatch() {
  return useMutation({
    meta: { stale: SETS_AND_BATCHES, deletes: { about: ABOUT_ONE_BATCH }, tellsFailure: true },
    mutationFn: ({ id, name }: { id: number; name: string }) =>
      api.delete("batches/{id}", { path: { id }, query: { name } }),
  });
}

export function useStartSearch() {
  const client = useQueryClient();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async (values: { least_pieces: number; least_percent: number }) =>
      one(await api.post("buildSearches", { body: values })),
    onSuccess: () => invalidate(client, "buildSearches"),
  });
}
