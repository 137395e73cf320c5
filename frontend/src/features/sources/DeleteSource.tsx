import { useState } from "react";
import { ApiError } from "@/shared/api/errors";
import { ActDialog } from "@/shared/ui/ActDialog";
import { DeleteDialog, useDeletion } from "@/shared/ui/DeleteDialog";
import { batchesText } from "./MergeSource";
import type { Source } from "./model";
import { useDeleteSource, useReassignBatches } from "./mutations";
import { SourceSelect } from "./SourceSelect";

const NONE = "none";

const isInUse = (error: Error) => error instanceof ApiError && error.code === "CONFLICT";

/** Deletes a source after asking; one that batches come from gives them to another one first. */
export function DeleteSource({ source, onClose }: { source: Source; onClose: () => void }) {
  const remove = useDeleteSource({ tellsFailure: (error: Error) => !isInUse(error) });
  // A batch may have come since the list was read: then the server refuses and says so.
  const [inUse, setInUse] = useState(source.batch_count > 0);
  const deletion = useDeletion(remove, {
    name: source.name,
    asked: source.id,
    onClose,
    onRefused: (error) => (isInUse(error) ? setInUse(true) : onClose()),
  });

  if (inUse) {
    return (
      <ReassignFirst
        source={source}
        deleting={deletion.pending}
        onReassigned={deletion.run}
        onClose={onClose}
      />
    );
  }
  return (
    <DeleteDialog deletion={deletion} kind="source">
      The source and its notes are gone for good. No batch comes from it.
    </DeleteDialog>
  );
}

function ReassignFirst(props: {
  source: Source;
  deleting: boolean;
  onReassigned: () => void;
  onClose: () => void;
}) {
  const { source, deleting, onReassigned, onClose } = props;
  const [to, setTo] = useState("");
  const reassign = useReassignBatches();
  const confirm = () =>
    reassign.mutate(
      { id: source.id, to: to === NONE ? null : Number(to) },
      { onSuccess: onReassigned },
    );
  const pending = reassign.isPending || deleting;
  return (
    <ActDialog
      onClose={onClose}
      title={`${source.name} is in use`}
      description={`${source.batch_count ? batchesText(source.batch_count) : "Batches"} came from it. Say where they come from instead; then it can be deleted.`}
      size="sm"
      act="Re-assign and delete"
      danger
      pending={pending}
      why={!to && "Choose where they come from"}
      onAct={confirm}
    >
      <SourceSelect
        label="Its batches come from"
        value={to}
        onChange={setTo}
        except={source.id}
        extra={[{ value: NONE, label: "No source" }]}
      />
    </ActDialog>
  );
}
