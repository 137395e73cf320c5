import { counted } from "@/shared/lib/format";
import { tellAct } from "@/shared/table/editing/tellAct";
import { toast } from "@/shared/ui/toast";
import { historyKeyOf } from "./model";
import { useRefresh } from "./mutations";

type Done = {
  kind: "stow" | "remove" | "markListed" | "act";
  words: string;
  /** In the place of the toast of this id. */
  id?: string;
  detail?: string;
  count: number;
  /** The acts that it was done in, oldest first. */
  actIds: readonly number[];
};

const verbs = { stow: "Stow", remove: "Remove", markListed: "Mark as listed" } as const;

/** Says what was done to rows: it can be taken back from the toast and by Ctrl+Z. */
export function useTellDone(batchId: number): (done: Done) => Promise<void> {
  const refresh = useRefresh();
  return async ({ kind, words, id, detail, count, actIds }) => {
    if (actIds.length === 0) {
      toast.success(words, { ...(id && { id }), detail });
      return;
    }
    await tellAct({
      table: historyKeyOf({ id: batchId }),
      type: kind === "remove" ? "row-delete" : "bulk-edit",
      label: kind === "act" ? words : `${verbs[kind]}: ${counted(count, "lot")}`,
      words,
      toast: { ...(id && { id }), detail },
      acts: actIds.map((id) => ({ id, batch: batchId })),
      refresh: refresh.stock,
    });
  };
}
