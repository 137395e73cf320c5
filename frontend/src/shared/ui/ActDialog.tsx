import type { ReactNode } from "react";
import { Button, type ButtonProps } from "./Button";
import { Dialog, type DialogProps } from "./Dialog";
import type { Icon } from "./icon";

/** A dialog with one act: its button, and a button that closes. Locked while the act runs. */
export function ActDialog({
  act,
  onAct,
  form,
  pending = false,
  why,
  icon,
  danger = false,
  closeLabel = "Cancel",
  footerStart,
  ...dialog
}: Omit<DialogProps, "open" | "footer"> & {
  /** The label of its button. */
  act: ReactNode;
  onAct?: () => void;
  /** The id of the form that the button submits, instead of `onAct`. */
  form?: string;
  pending?: boolean;
  /** Why it is not possible yet. */
  why?: ButtonProps["disabledReason"];
  icon?: Icon;
  danger?: boolean;
  closeLabel?: string;
  /** A checkbox "make another", a sum or a link, left of the buttons. */
  footerStart?: ReactNode;
}) {
  return (
    <Dialog
      locked={pending}
      {...dialog}
      open
      footer={
        <>
          {footerStart && <div className="mr-auto">{footerStart}</div>}
          <Button onClick={dialog.onClose} disabledReason={pending && "Wait until it is done"}>
            {closeLabel}
          </Button>
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
