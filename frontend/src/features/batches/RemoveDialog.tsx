import { formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { toast } from "@/shared/ui/toast";
import type { BatchItem, FailedItem } from "./model";
import { useOperation } from "./mutations";
import { type ItemChoice, resultWords } from "./operations";

/** Takes stowed items out of stock again, and new ones out of the batch. */
export function RemoveDialog(props: {
  batchId: number;
  items: ItemChoice;
  count: number;
  /** Those of the items that are loaded: what will happen to which. */
  known: readonly BatchItem[];
  onClose: () => void;
  onDone: (refused: FailedItem[]) => void;
}) {
  const { batchId, items, count, known, onClose, onDone } = props;
  const remove = useOperation(batchId);
  const stowed = known.filter((item) => item.is_stowed).length;
  const complete = known.length === count;

  const confirm = () =>
    remove.mutate(
      { kind: "remove", items },
      {
        onSuccess: ({ items: done, failed, job_id }) => {
          if (!job_id && failed.length === 0) {
            toast.success(resultWords("remove", done.length, 0));
          }
          onDone(failed);
        },
        onError: (error) => toast.error(problemText(error)),
      },
    );
  return (
    <ConfirmDialog
      open
      title={`Remove ${formatCount(count)} ${count === 1 ? "item" : "items"}?`}
      confirmLabel="Remove"
      danger
      running={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {(!complete || stowed > 0) && (
          <li>
            {complete ? `${formatCount(stowed)} stowed: ` : "Stowed ones are "}
            taken out of stock and new again in this batch.
          </li>
        )}
        {(!complete || stowed < count) && (
          <li>
            {complete ? `${formatCount(count - stowed)} new: ` : "New ones are "}
            deleted from this batch.
          </li>
        )}
      </ul>
    </ConfirmDialog>
  );
}
