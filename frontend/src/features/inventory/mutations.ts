import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type KeyedCall, keyed } from "@/shared/api/bulk";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";
import type { ChosenRows, InventoryItem, JobStarted, RefusedRow } from "./model";
import { inventoryQueries } from "./queries";

/** A thousand rows take longer than one. */
const LONG = { timeoutMs: 120_000 };
const UNDO_MS = 12_000;

/** After stock moved: what lies where, and how full that is. */
export function useRefreshStock() {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [inventoryQueries.all(), ["locations"]]) {
      void client.invalidateQueries({ queryKey });
    }
  };
}

/** Saves one row's changed fields; a quantity becomes a line of the ledger. */
export function useEditInventoryItem() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (edit: {
      item: InventoryItem;
      changes: Partial<InventoryItem>;
      call?: KeyedCall;
    }) =>
      one(
        await api.patch<InventoryItem>(
          `inventoryItems/${edit.item.id}`,
          { ...edit.changes, updatedAt: edit.item.updatedAt },
          keyed(edit.call),
        ),
      ),
    // The table shows the answer itself; its history and the fill of its bin follow.
    onSuccess: (saved) => {
      void client.invalidateQueries(inventoryQueries.movements(saved.id));
      void client.invalidateQueries({ queryKey: ["locations"] });
    },
  });
}

export type MoveRequest = (ChosenRows | { items: readonly { id: number; quantity?: number }[] }) & {
  to: number | null;
  override_reason?: string;
};

type Moved = { act_id: number; moved: number; refused: RefusedRow[] };

/** Carries rows, or parts of them, to another location, or to none: one act, all or nothing. */
export function useMoveItems() {
  const refresh = useRefreshStock();
  return useMutation({
    mutationFn: async (body: MoveRequest) =>
      one(await api.post<Moved | JobStarted>("inventoryItems/move", body, LONG)),
    onSuccess: refresh,
  });
}

/** Carries a part of a row into a new one that differs in `changes`. */
export function useSplitItem() {
  const refresh = useRefreshStock();
  return useMutation({
    mutationFn: async (split: { item: InventoryItem; quantity: number; changes: object }) =>
      one(
        await api.post<{ act_id: number; row: InventoryItem }>(
          `inventoryItems/${split.item.id}/split`,
          { quantity: split.quantity, changes: split.changes, updatedAt: split.item.updatedAt },
        ),
      ),
    onSuccess: refresh,
  });
}

/** Tells what an act did, with the button that takes it back. */
export function useTellAct() {
  const refresh = useRefreshStock();
  return (text: string, actId: number | null) => {
    const undo = async () => {
      try {
        const answer = one(await api.post<object | JobStarted>(`inventoryActs/${actId}/undo`, {}));
        toast.success(isJob(answer) ? "Taking it back…" : "Taken back");
        refresh();
      } catch (error) {
        toast.error(problemText(error));
      }
    };
    toast.success(text, {
      duration: UNDO_MS,
      ...(actId !== null && { action: { label: "Undo", run: () => void undo() } }),
    });
  };
}

export const isJob = (answer: object): answer is JobStarted =>
  "kind" in answer && "state" in answer && "id" in answer && typeof answer.id === "string";

/**
 * Removes a row that holds nothing; its history stays in the ledger. Through the table's editor,
 * so that its history can bring the row back.
 */
export function useRemoveRow() {
  const refresh = useRefreshStock();
  return async (item: InventoryItem) => {
    try {
      const { rowEditor } = await import("@/shared/table/editing/rowEditor");
      const editor = await rowEditor<InventoryItem>("inventory");
      await editor.deleteRows([item]);
      refresh();
    } catch (error) {
      toast.error(problemText(error));
    }
  };
}
