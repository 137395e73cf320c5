import { useState } from "react";
import { ActDialog } from "@/shared/ui/ActDialog";
import { toast } from "@/shared/ui/toast";
import { LocationPicker } from "./LocationPicker";
import type { Bin, Location } from "./model";
import { useTellMoved } from "./mutations";
import { OverLimit, useMergeInto, useMoveAll } from "./overLimit";

/** Moves all lots of a location to another one; with `merge` the location is then deleted. */
export function MoveContentsDialog(props: {
  location: Pick<Location, "id" | "name" | "item_count">;
  merge?: boolean;
  onClose: () => void;
  onMerged?: () => void;
}) {
  const { location, merge = false, onClose, onMerged } = props;
  const [to, setTo] = useState<Bin | null>(null);
  const tellMoved = useTellMoved();
  const moving = useMoveAll(location.id, to, (target, actId) => {
    void tellMoved(`${location.name} moved to ${target.name}`, actId);
    onClose();
  });
  const merging = useMergeInto(location.id, to, (into) => {
    toast.success(`${location.name} is part of ${into.name} now`);
    onClose();
    onMerged?.();
  });
  const { move, refusal, reason, setReason, pending } = merge ? merging : moving;
  const verb = merge ? "Merge" : "Move";
  return (
    <ActDialog
      onClose={onClose}
      title={merge ? `Merge ${location.name} into another` : `Move everything in ${location.name}`}
      description={
        merge &&
        `All lots in ${location.name} and all plans for it move to the other. Then ${location.name} is deleted, and its printed label no longer works.`
      }
      size="sm"
      act={refusal ? `${verb} anyway` : merge ? "Merge and delete" : "Move all"}
      danger={merge}
      pending={pending}
      why={!to && "Choose where to"}
      onAct={move}
    >
      <div className="flex flex-col gap-4">
        <LocationPicker
          label={`${verb} ${merge ? "into" : "to"}`}
          value={to}
          onChange={setTo}
          except={location.id}
          canCreate={!merge}
          autoFocus
          required
        />
        {refusal && <OverLimit refusal={refusal} reason={reason} onReason={setReason} />}
      </div>
    </ActDialog>
  );
}
