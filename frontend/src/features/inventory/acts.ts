/** What is done to many rows at once, and taken back; apart from what the first view needs. */

import { type MutationMeta, useMutation } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { ApiError } from "@/shared/api/errors";
import type { BodyOf } from "@/shared/api/wire";
import { STOCK } from "@/shared/lib/tags";
import { tellAct } from "@/shared/table/editing/tellAct";
import { toast } from "@/shared/ui/toast";
import type { InventoryItem } from "./model";
import { useRefreshStock } from "./mutations";

/** A thousand rows take longer than one. */
export const MOVE_TIMEOUT_MS = 120_000;
const UNDO_MS = 12_000;

export type MoveRequest = BodyOf<"post", "inventoryItems/move">;

/** Carries rows, or parts of them, to another location, or to none: one act, all or nothing. */
export function useMoveItems(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STOCK, ...meta },
    mutationFn: async (body: MoveRequest) =>
      one(await api.post("inventoryItems/move", { body, timeoutMs: MOVE_TIMEOUT_MS })),
  });
}

/** Carries a part of a row into a new one that differs in `changes`. */
export function useSplitItem() {
  return useMutation({
    meta: { stale: STOCK },
    mutationFn: async (split: {
      item: InventoryItem;
      quantity: number;
      changes: BodyOf<"post", "inventoryItems/{id}/split">["changes"];
    }) =>
      one(
        await api.post("inventoryItems/{id}/split", {
          path: { id: split.item.id },
          body: {
            quantity: split.quantity,
            changes: split.changes,
            updatedAt: split.item.updatedAt,
          },
        }),
      ),
  });
}

/** Shows the result of an act. The toast and Ctrl+Z in the inventory undo it. */
export function useTellAct() {
  const refresh = useRefreshStock();
  /** `again` does it anew after an undo, and resolves with the act of that. */
  return (text: string, actId: number | null, again?: () => Promise<number | null>) => {
    if (actId === null) {
      toast.success(text);
      return;
    }
    void tellAct({
      table: "inventory",
      label: text,
      words: text,
      toast: { duration: UNDO_MS },
      acts: [{ id: actId }],
      ...(again && {
        again: async () => {
          const id = await again();
          return id === null ? [] : [{ id }];
        },
      }),
      refresh,
    });
  };
}

/** The refusal of a bin that has no room: it can be passed with a reason. */
export const capacityOf = (error: Error | null): ApiError | null =>
  error instanceof ApiError && error.code === "CAPACITY_EXCEEDED" ? error : null;
