import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";
import type { FailedItem } from "./model";
import { useOperation } from "./mutations";
import { type ItemChoice, resultWords, unmarkedWords } from "./operations";

/** Records that items are on the marketplace, or no longer; nothing is called there. */
export function useMarkListed(batchId: number, onRefused: (items: FailedItem[]) => void) {
  const operation = useOperation(batchId);
  const run = (items: ItemChoice, onDone: () => void, listed = true) =>
    operation.mutate(
      { kind: "markListed", items, ...(!listed && { listed }) },
      {
        onSuccess: ({ items: done, failed, job_id }) => {
          onDone();
          if (job_id) return;
          if (done.length > 0) {
            const words = listed
              ? resultWords("markListed", done.length, failed.length)
              : unmarkedWords(done.length);
            toast.success(
              words,
              failed.length > 0
                ? { action: { label: "Show", run: () => onRefused(failed) } }
                : undefined,
            );
          } else onRefused(failed);
        },
        onError: (error) => toast.error(problemText(error)),
      },
    );
  return { run, running: operation.isPending };
}
