import { counted } from "@/shared/lib/format";
import { DeleteDialog, useDeletion } from "@/shared/ui/DeleteDialog";
import { InputField } from "@/shared/ui/Field";
import { useControl } from "@/shared/ui/useControl";
import type { Batch } from "./model";
import { useDeleteBatch } from "./mutations";

/** Deletes a batch; one with items only after its name was typed. */
export function DeleteBatch(props: { batch: Batch; onClose: () => void; onDeleted?: () => void }) {
  const { batch, onClose, onDeleted } = props;
  const typed = useControl("");
  const remove = useDeleteBatch({ tellsFailure: true });
  const lots = batch.batch_item_lot_count;
  const mustType = lots > 0;

  const deletion = useDeletion(remove, {
    name: batch.name,
    asked: { id: batch.id, typedName: typed.value },
    onClose,
    onDeleted,
  });
  return (
    <DeleteDialog
      deletion={deletion}
      kind="batch"
      why={mustType && typed.value.trim() !== batch.name && "Type the batch's name first"}
    >
      {mustType ? (
        <div className="flex flex-col gap-3">
          <p>
            It holds {counted(lots, "lot")}. They are deleted with it; stowed pieces stay in stock.
            This cannot be undone.
          </p>
          <InputField label={`Type “${batch.name}” to confirm`} {...typed} />
        </div>
      ) : (
        <p>The batch is empty. It is deleted for good.</p>
      )}
    </DeleteDialog>
  );
}
