import { useState } from "react";
import { counted } from "@/shared/lib/format";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { Field, Input } from "@/shared/ui/Field";
import { toast } from "@/shared/ui/toast";
import type { Batch } from "./model";
import { useDeleteBatch } from "./mutations";

/** Deletes a batch; one with items only after its name was typed. */
export function DeleteBatch(props: { batch: Batch; onClose: () => void; onDeleted?: () => void }) {
  const { batch, onClose, onDeleted } = props;
  const [typed, setTyped] = useState("");
  const remove = useDeleteBatch({ tellsFailure: true });
  const lots = batch.batch_item_lot_count;
  const mustType = lots > 0;

  const confirm = () =>
    remove.mutate(
      { id: batch.id, typedName: typed },
      {
        onSuccess: () => {
          toast.success(`${batch.name} deleted`);
          onDeleted?.();
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      title={`Delete ${batch.name}?`}
      confirmLabel="Delete batch"
      danger
      running={remove.isPending}
      blockedReason={mustType && typed.trim() !== batch.name && "Type the batch's name first"}
      onConfirm={confirm}
      onClose={onClose}
    >
      {mustType ? (
        <div className="flex flex-col gap-3">
          <p>
            It holds {counted(lots, "lot")}. They are deleted with it; stowed pieces stay in stock.
            This cannot be undone.
          </p>
          <Field label={`Type “${batch.name}” to confirm`}>
            <Input value={typed} onChange={(event) => setTyped(event.target.value)} />
          </Field>
        </div>
      ) : (
        <p>The batch is empty. It is deleted for good.</p>
      )}
    </ConfirmDialog>
  );
}
