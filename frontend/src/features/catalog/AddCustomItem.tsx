import { problemText } from "@/shared/lib/problem";
import { useClientState } from "@/shared/store/clientStore";
import { toast } from "@/shared/ui/toast";
import { useBatchChoice } from "./adding/useBatchChoice";
import { type CustomItem, CustomItemDialog } from "./CustomItemDialog";
import { useAddToBatch, useTakeBack } from "./mutations";

/** Adds one of what the catalogue does not know to the batch that was added to last. */
export function AddCustomItem({ text, onClose }: { text: string; onClose: () => void }) {
  const { batch, error } = useBatchChoice();
  const condition = useClientState("itemBeingProcessed.condition");
  const add = useAddToBatch({ tellsFailure: true });
  const takeBack = useTakeBack();
  const addIt = (custom: CustomItem) => {
    if (!batch) return;
    add.mutate(
      {
        batch_id: batch.id,
        item_type: custom.type,
        item_number: custom.number,
        item_name: custom.name,
        color_id: custom.colorId,
        qty: 1,
        condition,
      },
      {
        onSuccess: ({ id }) => {
          toast.success(`${custom.number || custom.name} added to ${batch.name}`, {
            action: { label: "Undo", run: () => takeBack.mutate(id) },
          });
          onClose();
        },
      },
    );
  };
  return (
    <CustomItemDialog
      text={text}
      submitLabel={batch ? `Add to ${batch.name}` : "Add"}
      blocked={batch ? null : error ? problemText(error) : "There is no open batch: make one first"}
      onClose={onClose}
      onAdd={addIt}
    />
  );
}
