import { type ReactNode, useState } from "react";
import { problemText } from "@/shared/lib/problem";
import { ActDialog } from "./ActDialog";
import { Button, type ButtonProps } from "./Button";
import { toast } from "./toast";

/** Every destructive act either can be undone or asks first: exactly one of the two. */
export type Destructive =
  | { undo: () => Promise<unknown>; confirm?: never }
  | { confirm: ReactNode; undo?: never };

export type DestructiveAction = Destructive & {
  /** The verb on the buttons: "Delete batch". */
  label: string;
  /** The toast's text afterwards: "Batch deleted". */
  done: string;
  run: () => Promise<unknown>;
};

/**
 * Runs a destructive act: with `undo` at once, with Undo in the toast; with `confirm` after a
 * dialog. Render `dialog`, call `start`.
 */
function useDestructive(action: DestructiveAction) {
  const [asking, setAsking] = useState(false);
  const [running, setRunning] = useState(false);

  const carryOut = async () => {
    setRunning(true);
    try {
      await action.run();
      setAsking(false);
      const { undo } = action;
      toast.success(action.done, undo && { action: { label: "Undo", run: undo } });
    } catch (error) {
      toast.error(`${action.label}: ${problemText(error)}`);
    } finally {
      setRunning(false);
    }
  };

  const start = () => (action.undo ? void carryOut() : setAsking(true));
  const dialog = (
    <ConfirmDialog
      open={asking}
      title={`${action.label}?`}
      confirmLabel={action.label}
      danger
      running={running}
      onConfirm={carryOut}
      onClose={() => setAsking(false)}
    >
      {action.confirm}
    </ConfirmDialog>
  );
  return { start, running, dialog };
}

/** A button for a destructive act, with its dialog or its undo. */
export function DestructiveButton(
  props: { action: DestructiveAction } & Pick<
    ButtonProps,
    "size" | "icon" | "disabledReason" | "variant" | "aria-label"
  >,
) {
  const { action, variant = "secondary", ...button } = props;
  const { start, running, dialog } = useDestructive(action);
  return (
    <>
      <Button {...button} variant={variant} loading={running} onClick={start}>
        {action.label}
      </Button>
      {dialog}
    </>
  );
}

/** Asks before an act. The question is in `children`, the verb is on the button. */
export function ConfirmDialog(props: {
  open?: boolean;
  title: string;
  confirmLabel: string;
  onConfirm: () => void;
  onClose: () => void;
  danger?: boolean;
  running?: boolean;
  /** Of the button that changes nothing, where "Cancel" would be read as the act. */
  closeLabel?: string;
  /** Why it cannot be confirmed yet: a count to type, a box to tick. */
  blockedReason?: string | false | null;
  children?: ReactNode;
}) {
  const { open = true, confirmLabel, onConfirm, running, blockedReason, ...dialog } = props;
  if (!open) return null;
  return (
    <ActDialog
      {...dialog}
      size="sm"
      holdsInput={false} // the typed text only confirms; it is not input that could be lost
      act={confirmLabel}
      pending={running}
      why={blockedReason}
      onAct={onConfirm}
    />
  );
}
