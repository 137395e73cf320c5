/** Shows a page's act on rows in a toast. The toast and Ctrl+Z undo it. */
import { type ToastOptions, toast } from "@/shared/ui/toast";
import type { ActionType } from "./model";
import { rowEditor } from "./rowEditor";

export type ToldAct = {
  /** The `historyKey` of the table whose rows they are, or its id. */
  table: string;
  type?: ActionType;
  /** The name of the step in the history. */
  label: string;
  /** The text of the toast. */
  words: string;
  toast?: Pick<ToastOptions, "id" | "detail" | "duration">;
  /** Undoes it on the server. Resolves with a text that replaces "Undone: …". */
  takeBack: () => Promise<string | undefined>;
};

export async function tellAct(act: ToldAct): Promise<void> {
  const { table, type = "bulk-edit", label, words } = act;
  const takeBack = async () => {
    toast.success((await act.takeBack()) ?? `Undone: ${words}`);
  };
  const { noteAct } = await rowEditor(table);
  const run = noteAct({ type, label, takeBack });
  toast.success(words, { ...act.toast, action: { label: "Undo", run } });
}
