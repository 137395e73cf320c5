/** Shows a page's act on rows in a toast. The toast and Ctrl+Z undo it. */
import type { ServerAct } from "@/shared/outbox/history";
import { undoServerActs } from "@/shared/outbox/serverActs";
import { type ToastOptions, toast } from "@/shared/ui/toast";
import type { ActionType } from "./model";
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
      /** Fetches what their undo has made stale. */
      refresh: () => unknown;
    }
);

export async function tellAct(act: ToldAct): Promise<void> {
  const { table, type = "bulk-edit", label, words } = act;
  const undo = async () => {
    if ("takeBack" in act) return act.takeBack();
    try {
      return await undoServerActs(act.acts);
    } finally {
      act.refresh();
    }
  };
  const takeBack = async () => {
    toast.success((await undo()) ?? `Undone: ${words}`);
  };
  const { noteAct } = await rowEditor(table);
  const run = noteAct({ type, label, takeBack, ...("acts" in act && { acts: act.acts }) });
  toast.success(words, { ...act.toast, action: { label: "Undo", run } });
}
