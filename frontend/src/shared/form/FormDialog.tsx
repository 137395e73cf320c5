import { type ReactNode, useId } from "react";
import type { FieldValues } from "react-hook-form";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Notice } from "@/shared/ui/states";
import type { ZodForm } from "./useZodForm";

/**
 * A form in a dialog. It handles sending, its spinner and the text of a refusal. Closing it with
 * unsaved input asks first. It cannot be closed while sending.
 */
export function FormDialog<Values extends FieldValues>(props: {
  form: ZodForm<Values>;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  submitLabel: string;
  size?: "sm" | "md" | "lg";
  footerStart?: ReactNode;
  children: ReactNode;
}) {
  const { form, submitLabel, children, size = "sm", ...dialog } = props;
  const id = useId();
  return (
    <ActDialog
      {...dialog}
      size={size}
      holdsInput={form.formState.isDirty}
      act={submitLabel}
      form={id}
      pending={form.formState.isSubmitting}
    >
      <form id={id} noValidate onSubmit={form.submit} className="flex flex-col gap-4">
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        {children}
      </form>
    </ActDialog>
  );
}
