import { type MutationMeta, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { CallOf, Schema } from "@/shared/api/wire";
import { pathTo } from "@/shared/lib/paths";
import { invalidate } from "@/shared/lib/tags";
import { sendUpload } from "@/shared/outbox/theOutbox";
import { orderQueries } from "./queries";

/** Picking and returning change the stock too. */
export const STALE_ORDERS = ["orders", "inventory"] as const;

export function useRefreshOrders() {
  const client = useQueryClient();
  return () => {
    void invalidate(client, ...STALE_ORDERS);
  };
}

/** Reads what changed at the store: a job, which is followed. */
export function useRefreshFromStore() {
  const read = useMutation({
    meta: { tellsFailure: true },
    mutationFn: async () => one(await api.post("orders/refresh")),
  });
  return { refresh: () => read.mutate(), isPending: read.isPending };
}

export function useStartWalk() {
  return useMutation({
    meta: { stale: STALE_ORDERS, tellsFailure: true },
    // Without ids: all that can be picked.
    mutationFn: async (ids?: readonly number[]) =>
      one(await api.post("pickWalks", { body: ids ? { order_ids: [...ids] } : {} })),
  });
}

export function useEndWalk() {
  return useMutation({
    meta: { stale: STALE_ORDERS, tellsFailure: true },
    mutationFn: async (id: number) => one(await api.post("pickWalks/{id}/end", { path: { id } })),
  });
}

export const undoPick = async (walk: number, body: Schema<"UndoPickWriteRequest">) =>
  one(await api.post("pickWalks/{id}/undo", { path: { id: walk }, body }));

/** Leaves pieces that were sold twice out of the later order, or wants them again. */
export function useLeaveOutPieces() {
  return useMutation({
    meta: { stale: STALE_ORDERS, tellsFailure: true },
    mutationFn: async ({ id, act, body }: LeavingOut) =>
      one(await api.post(`orders/{id}/${act}`, { path: { id }, body })),
  });
}

type LeavingOut = { id: number; act: LeaveOutAct; body: Schema<"LeaveOutWriteRequest"> };
export type LeaveOutAct = "leaveOutPieces" | "undoLeaveOutPieces";

type OrderVerb =
  | "pack"
  | "leaveOut"
  | "unpack"
  | "ship"
  | "unship"
  | "file"
  | "seen"
  | "combine"
  | "separate"
  | "cancel"
  | "forgetBuyer"
  | "refund"
  | "unrefund"
  | "return";

/** What one press does with an order. */
export type OrderAct = {
  [Verb in OrderVerb]: { kind: Verb } & Pick<CallOf<"post", `orders/{id}/${Verb}`>, "body">;
}[OrderVerb];

export function useActOnOrder(id: number, meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STALE_ORDERS, ...meta },
    mutationFn: ({ kind, body }: OrderAct) =>
      api.post(`orders/{id}/${kind}`, { path: { id }, body }),
  });
}

/** A sale without a marketplace: at a fair, to a friend. */
export function useSellByHand() {
  return useMutation({
    meta: { stale: STALE_ORDERS },
    mutationFn: async (body: Schema<"OrderWriteRequest">) =>
      one(await api.post("orders", { body })),
  });
}

/** Makes an address for hints of the store, in place of an earlier one. */
export function useMakeHook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => one(await api.post("orderHook")),
    onSuccess: (hook) => client.setQueryData(orderQueries.hook().queryKey, hook),
  });
}

export function useForgetHook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => one(await api.delete("orderHook")),
    onSuccess: (hook) => client.setQueryData(orderQueries.hook().queryKey, hook),
  });
}

/**
 * Takes in BrickLink's order download; the answer lists each line that cannot be read. Null: it is
 * kept, and taken in when the server answers.
 */
export function useTakeInFile() {
  return useMutation({
    mutationFn: (file: File) =>
      sendUpload(
        "orders/importFile",
        { file },
        { page: pathTo("orders", { file: "" }), stale: STALE_ORDERS },
      ),
  });
}
