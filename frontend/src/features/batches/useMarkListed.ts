import type { FailedItem } from "./model";
import { useOperation } from "./mutations";
import { type ItemChoice, resultWords, unmarkedWords } from "./operations";
import { useTellDone } from "./useTellDone";

/** Records that items are on the marketplace, or no longer; nothing is called there. */
export function useMarkListed(props: {
  batchId: number;
  onRefused: (items: FailedItem[]) => void;
  onJob: (jobId: string) => void;
}) {
  const { batchId, onRefused, onJob } = props;
  const operation = useOperation(batchId, { tellsFailure: true });
  const tellDone = useTellDone(batchId);
  const run = (items: ItemChoice, onDone: () => void, listed = true) =>
    operation.mutate(
      { kind: "markListed", items, ...(!listed && { listed }) },
      {
        onSuccess: ({ items: done, failed, job_id, act_id }) => {
          onDone();
          if (job_id) return onJob(job_id);
          if (failed.length > 0) onRefused(failed);
          if (done.length === 0) return;
          const words = listed
            ? resultWords("markListed", done.length, failed.length)
            : unmarkedWords(done.length);
          const actIds = act_id ? [act_id] : [];
          void tellDone({ kind: "markListed", words, count: done.length, actIds });
        },
      },
    );
  return { run, running: operation.isPending };
}
