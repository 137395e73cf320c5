/** Rows that a form made: taken back from its toast and by Ctrl+Z in their table. */
import type { ToastOptions } from "@/shared/ui/toast";
import { tellAct } from "./tellAct";

export type Made = {
  /** The `historyKey` of the table whose rows they are, or its id. */
  table: string;
  /** Of the toast: "A-1 added". */
  words: string;
  toast?: Pick<ToastOptions, "detail">;
  /** Deletes them again. */
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
