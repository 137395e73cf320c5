/** Announces rows that a form created. The toast and Ctrl+Z in their table undo it. */
import type { ToastOptions } from "@/shared/ui/toast";
import { tellAct } from "./tellAct";

export type Made = {
  /** The `historyKey` of the table whose rows they are, or its id. */
  table: string;
  /** The text of the toast: "A-1 added". */
  words: string;
  toast?: Pick<ToastOptions, "detail">;
  /** Deletes the rows again. */
  remove: () => Promise<unknown>;
};

export function tellMade({ table, words, toast, remove }: Made): Promise<void> {
  return tellAct({
    table,
    type: "row-create",
    label: words,
    words,
    ...(toast && { toast }),
    takeBack: async () => {
      await remove();
      return undefined;
    },
  });
}
