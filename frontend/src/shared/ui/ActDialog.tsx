import type { ReactNode } from "react";
import { Button, type ButtonProps } from "./Button";
import { Dialog, type DialogProps } from "./Dialog";
import type { Icon } from "./icon";

/** A dialog that does one thing: its button, and one beside it that closes. Locked while it runs. */
export function ActDialog({
  act,
  onAct,
  form,
  pending = false,
  why,
  icon,
  danger = false,
  closeLabel = "Cancel",
  ...dialog
}: Omit<DialogProps, "open" | "footer"> & {
  /** What its button says. */
  act: ReactNode;
  onAct?: () => void;
  /** The id of the form that the button sends, instead of `onAct`. */
  form?: string;
  pending?: boolean;
  /** Why it cannot be done yet. */
  why?: ButtonProps["disabledReason"];
  icon?: Icon;
  danger?: boolean;
  closeLabel?: string;
}) {
  return (
    <Dialog
      locked={pending}
      {...dialog}
      open
      footer={
        <>
          <Button onClick={dialog.onClose}>{closeLabel}</Button>
          <Button
            type={form === undefined ? "button" : "submit"}
            form={form}
            variant={danger ? "danger" : "primary"}
            icon={icon}
            loading={pending}
            disabledReason={why}
            onClick={onAct}
          >
            {act}
          </Button>
        </>
      }
    />
  );
}
