import { counted } from "@/shared/lib/format";
import { toast } from "@/shared/ui/toast";
import { type AlikeChanges, useEditItems } from "./mutations";
import { useTellDone } from "./useTellDone";

const reasonOf = ({ fields, message }: { fields: unknown; message: string | null }) =>
  Object.values(fields ?? {})
    .flat()
    .join(" ") || message;

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
        onSuccess: (rows) => {
          onDone();
          if (rows.length === 0) return; // a job does it, and tells its end
          const left = rows.filter(({ ok }) => !ok);
          const [first] = left;
          const why = first && `${counted(left.length, "lot")} left as before: ${reasonOf(first)}`;
          const acts = rows.flatMap(({ act_id }) => act_id ?? []);
          const actIds = [...new Set(acts)];
          if (actIds.length > 0) {
            const words = wordsOf(acts.length);
            void tellDone({ kind: "act", words, detail: why, count: acts.length, actIds });
          } else if (why) toast.error(why);
          else toast.info("Nothing to change");
        },
      },
    );
  return { run, running: edit.isPending };
}
