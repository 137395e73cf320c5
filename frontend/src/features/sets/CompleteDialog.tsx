import { ConfirmDialog } from "@/shared/ui/Destructive";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useControl } from "@/shared/ui/useControl";
import type { UserSet } from "./model";
import { type Completed, useCompleteSet, useUndoComplete } from "./mutations";
import { pieces } from "./rules";

/** Marks a set as complete. If parts are missing, asks what to do with them. */
export function CompleteDialog({ set, onClose }: { set: UserSet; onClose: () => void }) {
  const missing = useControl<"have" | "keep">("have");
  const complete = useCompleteSet();
  const undo = useUndoComplete();
  const lacks = set.pieces_missing > 0;

  const tellDone = async ({ raised }: Completed) => {
    const { tellAct } = await import("@/shared/table/editing/tellAct");
    const words = `${set.number} is complete`;
    await tellAct({
      table: "userSets",
      label: words,
      words,
      takeBack: async () => {
        await undo.mutateAsync({ id: set.id, state: set.state, raised });
        return `${set.number} restored`;
      },
    });
  };
  const go = () =>
    complete.mutate(
      { id: set.id, missing: lacks ? missing.value : "" },
      {
        onSuccess: (now) => {
          void tellDone(now);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={`Complete ${set.number}?`}
      confirmLabel="Complete"
      running={complete.isPending}
      onConfirm={go}
      onClose={onClose}
    >
      {lacks ? (
        <div className="flex flex-col gap-3">
          <p>
            {pieces(set.pieces_missing)} are still counted as missing. What should happen to them?
          </p>
          <SegmentedControl
            label="Missing pieces"
            {...missing}
            options={{ have: "All on hand", keep: "Stay missing" }}
          />
        </div>
      ) : (
        <p>Nothing is missing.</p>
      )}
    </ConfirmDialog>
  );
}
