import { useState } from "react";
import { problemText } from "@/shared/lib/problem";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { toast } from "@/shared/ui/toast";
import type { UserSet } from "./model";
import { useCompleteSet, useEditSet } from "./mutations";
import { pieces } from "./rules";

/** Calls a set complete; while parts are missing it asks what becomes of them. */
export function CompleteDialog({ set, onClose }: { set: UserSet; onClose: () => void }) {
  const [missing, setMissing] = useState<"have" | "keep">("have");
  const complete = useCompleteSet();
  const edit = useEditSet();
  const lacks = set.pieces_missing > 0;

  const takeBack = (now: UserSet) =>
    edit.mutate(
      { set: now, changes: { state: set.state } },
      { onError: (error) => toast.error(problemText(error)) },
    );
  const go = () =>
    complete.mutate(
      { id: set.id, missing: lacks ? missing : "" },
      {
        onSuccess: (now) => {
          // Counts that were raised are not lowered again by an undo, so none is offered then.
          const undo = !lacks || missing === "keep";
          toast.success(
            `${set.number} is complete`,
            undo ? { action: { label: "Undo", run: () => takeBack(now) } } : undefined,
          );
          onClose();
        },
        onError: (error) => toast.error(problemText(error)),
      },
    );
  return (
    <ConfirmDialog
      open
      title={`Complete ${set.number}?`}
      confirmLabel="Complete"
      running={complete.isPending}
      onConfirm={go}
      onClose={onClose}
    >
      {lacks ? (
        <div className="flex flex-col gap-3">
          <p>{pieces(set.pieces_missing)} are still counted as missing. What of them?</p>
          <SegmentedControl
            label="Missing pieces"
            value={missing}
            onChange={setMissing}
            options={[
              { value: "have", label: "All on hand" },
              { value: "keep", label: "Stay missing" },
            ]}
          />
        </div>
      ) : (
        <p>Nothing is missing.</p>
      )}
    </ConfirmDialog>
  );
}
