import { counted } from "@/shared/lib/format";
import { toast } from "@/shared/ui/toast";
import { type AlikeChanges, useEditItems } from "./mutations";
import { useTellDone } from "./useTellDone";

/** Makes the same change to many items and shows the result, with the reason for each item that stayed as it was. */
export function useEditAlike(batchId: number) {
  const edit = useEditItems(batchId);
  const tellDone = useTellDone(batchId);
  const run = (
    ids: readonly number[],
    changes: AlikeChanges,
    wordsOf: (done: number) => string,
    onDone: () => void = () => undefined,
  ) =>
    edit.mutate(
      { ids, changes },
      {
        onSuccess: ({ act_id, item_count: done, failed, failed_count: left }) => {
          onDone();
          const why =
            left > 0 ? `${counted(left, "lot")} left as before: ${failed[0]?.reason}` : undefined;
          if (act_id !== null) {
            const words = wordsOf(done);
            void tellDone({ kind: "act", words, detail: why, count: done, actIds: [act_id] });
          } else if (why) toast.error(why);
          else toast.info("It was so already: nothing was changed");
        },
      },
    );
  return { run, running: edit.isPending };
}
