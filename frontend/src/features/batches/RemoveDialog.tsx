import { useState } from "react";
import { formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { Field, Select } from "@/shared/ui/Field";
import { toast } from "@/shared/ui/toast";
import type { BatchItem, FailedItem } from "./model";
import { useDeleteItems, useOperation } from "./mutations";
import { type ItemChoice, resultWords } from "./operations";
import { itemName } from "./rules";

/** What becomes of the stowed ones: new again, or deleted here with or without their stock. */
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
}) {
  const { batchId, items, count, known, onClose, onDone } = props;
  const [fate, setFate] = useState<Fate>("new");
  const remove = useOperation(batchId);
  const erase = useDeleteItems(batchId);
  const stowed = known.filter((item) => item.is_stowed).length;
  const complete = known.length === count;
  const hasStowed = !complete || stowed > 0;
  const onError = (error: Error) => void toast.error(problemText(error));

  const end = (done: number, refused: FailedItem[]) => {
    if (refused.length === 0) toast.success(resultWords("remove", done, 0));
    onDone(refused);
  };
  const confirm = () => {
    if (fate === "new" || items === "all") {
      remove.mutate(
        { kind: "remove", items },
        {
          onSuccess: ({ items: done, failed, job_id }) =>
            job_id ? onDone(failed) : end(done.length, failed),
          onError,
        },
      );
      return;
    }
    const names = new Map(known.map((item) => [item.id, itemName(item)]));
    erase.mutate(
      { ids: items, stock: fate },
      {
        onSuccess: (refused) => {
          const failed = [...refused].flatMap(([index, reason]) => {
            const id = items[index];
            return id === undefined ? [] : [{ id, reason, name: names.get(id) ?? "" }];
          });
          end(items.length - failed.length, failed);
        },
        onError,
      },
    );
  };
  return (
    <ConfirmDialog
      open
      title={`Remove ${formatCount(count)} ${count === 1 ? "item" : "items"}?`}
      confirmLabel="Remove"
      danger
      running={remove.isPending || erase.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3">
        {hasStowed && items !== "all" ? (
          <Field label={complete ? `What becomes of ${stowedWords(stowed)}` : "Stowed ones"}>
            <Select
              value={fate}
              onChange={(event) => setFate(event.target.value as Fate)} // one of the options
              options={fatesOf(stowed)}
            />
          </Field>
        ) : (
          hasStowed && <p>Stowed ones are taken out of stock and new again in this batch.</p>
        )}
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
