import { useState } from "react";
import { counted } from "@/shared/lib/format";
import { ActDialog } from "@/shared/ui/ActDialog";
import { toast } from "@/shared/ui/toast";
import type { Source } from "./model";
import { useMergeSource } from "./mutations";
import { SourceSelect } from "./SourceSelect";

/** Makes two sources one: batches and notes go over, the name goes. */
export function MergeSource({ source, onClose }: { source: Source; onClose: () => void }) {
  const [into, setInto] = useState("");
  const merge = useMergeSource({ tellsFailure: true });
  const confirm = () =>
    merge.mutate(
      { id: source.id, into: Number(into) },
      {
        onSuccess: ({ batches }) => {
          toast.success(`${source.name} merged`, { detail: `${batchesText(batches)} moved.` });
          onClose();
        },
      },
    );
  return (
    <ActDialog
      onClose={onClose}
      title={`Merge ${source.name} into another`}
      description={`${batchesText(source.batch_count)} and the notes go to the other source. Then ${source.name} is deleted.`}
      size="sm"
      act="Merge and delete"
      danger
      pending={merge.isPending}
      why={!into && "Choose the source that stays"}
      onAct={confirm}
    >
      <SourceSelect label="Merge into" value={into} onChange={setInto} except={source.id} />
    </ActDialog>
  );
}

export const batchesText = (count: number) => counted(count, "batch", "batches");
