import { counted, formatCount } from "@/shared/lib/format";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { ChoiceField } from "@/shared/ui/Field";
import { useControl } from "@/shared/ui/useControl";
import type { BatchItem, FailedItem } from "./model";
import { useOperation } from "./mutations";
import { type ItemChoice, resultWords } from "./operations";
import { useTellDone } from "./useTellDone";

/** What to do with stowed items: new again, or deleted here with or without their stock. */
type Fate = "new" | "out" | "keep";

const fatesOf = (stowed: number): readonly { value: Fate; label: string }[] => [
  {
    value: "new",
    label: `Out of stock: ${stowed === 1 ? "it is" : "they are"} new again here`,
  },
  { value: "out", label: "Out of stock, and deleted here" },
  {
    value: "keep",
    label: `Deleted here: ${stowed === 1 ? "its" : "their"} pieces stay in stock`,
  },
];

/** Takes stowed items out of stock again, or out of the batch, and new ones out of the batch. */
export function RemoveDialog(props: {
  batchId: number;
  items: ItemChoice;
  count: number;
  /** Those of the items that are loaded: what will happen to which. */
  known: readonly BatchItem[];
  onClose: () => void;
  onDone: (refused: FailedItem[]) => void;
  /** So many that a job does it. */
  onJob: (jobId: string) => void;
}) {
  const { batchId, items, count, known, onClose, onDone, onJob } = props;
  const fate = useControl<Fate>("new");
  const remove = useOperation(batchId, { tellsFailure: true });
  const tellDone = useTellDone(batchId);
  const stowed = known.filter((item) => item.is_stowed).length;
  const complete = known.length === count;
  const hasStowed = !complete || stowed > 0;
  const confirm = () =>
    remove.mutate(
      { kind: "remove", items, ...(fate.value !== "new" && { stock: fate.value }) },
      {
        onSuccess: ({ items: done, failed, job_id, act_id }) => {
          onDone(failed);
          if (job_id) onJob(job_id);
          if (done.length === 0 || !act_id) return;
          const words = resultWords("remove", done.length, failed.length);
          void tellDone({ kind: "remove", words, count: done.length, actIds: [act_id] });
        },
      },
    );
  return (
    <ConfirmDialog
      title={`Remove ${items === "all" ? "all " : ""}${counted(count, "lot")}?`}
      confirmLabel={`Remove ${counted(count, "lot")}`}
      danger
      running={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3">
        {hasStowed ? (
          <ChoiceField
            label={complete ? `What happens to ${stowedWords(stowed)}` : "Stowed ones"}
            {...fate}
            options={fatesOf(stowed)}
          />
        ) : null}
        {(!complete || stowed < count) && (
          <p>
            {complete ? `${formatCount(count - stowed)} new: ` : "New ones are "}
            deleted from this batch.
          </p>
        )}
      </div>
    </ConfirmDialog>
  );
}

const stowedWords = (count: number): string =>
  count === 1 ? "the stowed one" : `the ${formatCount(count)} stowed ones`;
