import { counted } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";
import { historyKeyOf } from "./detail/dialog";
import type { BatchItem } from "./model";
import { useUndoAct } from "./mutations";

type Done = {
  kind: "remove" | "markListed";
  words: string;
  detail?: string;
  count: number;
  /** The acts that it was done in, oldest first. */
  actIds: readonly number[];
};

/** Says what was done to rows: it can be taken back from the toast and by Ctrl+Z. */
export function useTellDone(batchId: number): (done: Done) => Promise<void> {
  const undo = useUndoAct(batchId);
  return async ({ kind, words, detail, count, actIds }) => {
    const takeBack = async () => {
      for (const actId of [...actIds].reverse()) await undo.mutateAsync(actId);
      toast.success(`Undone: ${words}`);
    };
    const { rowEditor } = await import("@/shared/table/editing/rowEditor");
    const { noteAct } = await rowEditor<BatchItem>(historyKeyOf({ id: batchId }));
    const run = noteAct({
      type: kind === "remove" ? "row-delete" : "bulk-edit",
      label: `${kind === "remove" ? "Remove" : "Mark as listed"}: ${counted(count, "lot")}`,
      takeBack,
    });
    toast.success(words, { detail, action: { label: "Undo", run } });
  };
}

/** What a toast says of an act that failed. */
export const tellProblem = (error: Error): void => void toast.error(problemText(error));
