import { useState } from "react";
import { formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { toast } from "@/shared/ui/toast";
import type { Source } from "./model";
import { useMergeSource } from "./mutations";
import { SourceSelect } from "./SourceSelect";

/** Makes two sources one: batches and notes go over, the name goes. */
export function MergeSource({ source, onClose }: { source: Source; onClose: () => void }) {
  const [into, setInto] = useState("");
  const merge = useMergeSource();
  const confirm = () =>
    merge.mutate(
      { id: source.id, into: Number(into) },
      {
        onSuccess: ({ batches }) => {
          toast.success(`${source.name} merged`, { detail: `${batchesText(batches)} moved.` });
          onClose();
        },
        onError: (error) => toast.error(problemText(error)),
      },
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Merge ${source.name} into another`}
      description={`${batchesText(source.batch_count)} and the notes go to the other source. Then ${source.name} is deleted.`}
      size="sm"
      locked={merge.isPending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="danger"
            loading={merge.isPending}
            disabledReason={!into && "Choose the source that stays"}
            onClick={confirm}
          >
            Merge and delete
          </Button>
        </>
      }
    >
      <SourceSelect label="Merge into" value={into} onChange={setInto} except={source.id} />
    </Dialog>
  );
}

export const batchesText = (count: number) =>
  `${formatCount(count)} ${count === 1 ? "batch" : "batches"}`;
