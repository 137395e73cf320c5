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
  /** Does it anew, after an undo. Resolves with the acts of that. */
  again?: () => Promise<readonly number[]>;
};

const verbs = { stow: "Stow", remove: "Remove", markListed: "Mark as listed" } as const;

/** Says what was done to rows: it can be taken back from the toast and by Ctrl+Z. */
export function useTellDone(batchId: number): (done: Done) => Promise<void> {
  const refresh = useRefresh();
  const keptHere = (ids: readonly number[]) => ids.map((id) => ({ id, batch: batchId }));
  return async ({ kind, words, id, detail, count, actIds, again }) => {
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
      acts: keptHere(actIds),
      ...(again && { again: async () => keptHere(await again()) }),
      refresh: refresh.stock,
    });
  };
}
