import { type ReactNode, useId } from "react";
import type { FieldValues } from "react-hook-form";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Notice } from "@/shared/ui/states";
import type { ZodForm } from "./useZodForm";

/**
 * A form in a dialog. It handles sending, its spinner and the text of a refusal. Closing it with
 * unsaved input asks first. It cannot be closed while sending.
 */
export function FormDialog<Values extends FieldValues>(props: {
  form: ZodForm<Values>;
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  submitLabel: string;
  size?: "sm" | "md" | "lg";
  /** A checkbox "make another" or a link, left of the buttons. */
  footerStart?: ReactNode;
  children: ReactNode;
}) {
  const { form, open, onClose, submitLabel, footerStart } = props;
  const id = useId();
  const sending = form.formState.isSubmitting;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={props.title}
      description={props.description}
      size={props.size ?? "sm"}
      locked={sending}
      holdsInput={form.formState.isDirty}
      footer={
        <>
          {footerStart && <div className="mr-auto">{footerStart}</div>}
          <Button onClick={onClose} disabledReason={sending && "It is being saved"}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant="primary" loading={sending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={form.submit} className="flex flex-col gap-4">
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        {props.children}
      </form>
    </Dialog>
  );
}
