/** Shows a page's act on rows in a toast. The toast and Ctrl+Z undo it. */
import type { ServerAct } from "@/shared/outbox/history";
import { undoServerActs } from "@/shared/outbox/serverActs";
import { type ToastOptions, toast } from "@/shared/ui/toast";
import type { ActionType } from "./model";
import type { NotedAct } from "./rowActs";
import { rowEditor } from "./rowEditor";

type ToldAct = {
  /** The `historyKey` of the table whose rows they are, or its id. */
  table: string;
  type?: ActionType;
  /** The name of the step in the history. */
  label: string;
  /** The text of the toast. */
  words: string;
  toast?: Pick<ToastOptions, "id" | "detail" | "duration">;
} & (
  | {
      /** Undoes it on the server. Resolves with a text that replaces "Undone: …". */
      takeBack: () => Promise<string | undefined>;
    }
  | {
      /** The acts of the server that it was done in, oldest first. */
      acts: readonly ServerAct[];
      /** Does it anew, after an undo. Resolves with the acts of that. */
      again?: () => Promise<readonly ServerAct[]>;
      /** Fetches what their undo has made stale. */
      refresh: () => unknown;
    }
);

type KeptAct = Extract<ToldAct, { acts: readonly ServerAct[] }>;

/** How an act that the server keeps is undone, and done again. */
function kept(act: KeptAct): Pick<NotedAct, "takeBack" | "acts" | "again"> {
  const { words, refresh, again } = act;
  const undoing = (acts: readonly ServerAct[]) => ({
    acts,
    takeBack: async () => {
      try {
        toast.success((await undoServerActs(acts)) ?? `Undone: ${words}`);
      } finally {
        refresh();
      }
    },
  });
  if (!again) return undoing(act.acts);
  const doAgain = async () => {
    const acts = await again();
    refresh();
    toast.success(acts.length > 0 ? `Done again: ${words}` : "Nothing is left to redo.");
    return acts.length > 0 ? undoing(acts) : null;
  };
  return { ...undoing(act.acts), again: doAgain };
}

export async function tellAct(act: ToldAct): Promise<void> {
  const { table, type = "bulk-edit", label, words } = act;
  const { noteAct } = await rowEditor(table);
  const run = noteAct({
    type,
    label,
    ...("takeBack" in act
      ? { takeBack: async () => toast.success((await act.takeBack()) ?? `Undone: ${words}`) }
      : kept(act)),
  });
  toast.success(words, { ...act.toast, action: { label: "Undo", run } });
}
