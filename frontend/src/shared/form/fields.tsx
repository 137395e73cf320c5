import { type ReactNode, useEffect } from "react";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { Checkbox } from "@/shared/ui/Checkbox";
import { Field, Input, type Option, Select, Textarea } from "@/shared/ui/Field";

type Common<Values extends FieldValues> = {
  form: Pick<UseFormReturn<Values>, "register" | "formState" | "setFocus">;
  name: Path<Values>;
  label: string;
  hint?: ReactNode;
  required?: boolean;
  className?: string;
};

function errorOf<Values extends FieldValues>({ form, name }: Common<Values>): string | undefined {
  const error = form.formState.errors[name];
  return error ? String(error.message || "Please correct this field.") : undefined;
}

/** The label, hint and error of a form's field around its control. */
function InForm<Values extends FieldValues>(props: Common<Values> & { children: ReactNode }) {
  const { label, hint, required, className, children } = props;
  return <Field {...{ label, hint, required, className, children }} error={errorOf(props)} />;
}

/**
 * A text field of a form. `numeric` for quantities and money: right-aligned, decimal keyboard; what
 * is typed first replaces the number.
 */
export function TextField<Values extends FieldValues>(
  props: Common<Values> & {
    type?: "text" | "email" | "password" | "search" | "date" | "datetime-local";
    numeric?: boolean;
    autoComplete?: string;
    autoFocus?: boolean;
    placeholder?: string;
    readOnly?: boolean;
  },
) {
  const { form, name, label, hint, required, className, ...input } = props;
  const { setFocus } = form;
  const selects = input.numeric && input.autoFocus;
  useEffect(() => {
    if (selects) setFocus(name, { shouldSelect: true });
  }, [selects, setFocus, name]);
  return (
    <InForm {...{ form, name, label, hint, required, className }}>
      <Input {...input} {...form.register(name)} />
    </InForm>
  );
}

export function TextareaField<Values extends FieldValues>(
  props: Common<Values> & { rows?: number; placeholder?: string },
) {
  const { form, name, label, hint, required, className, ...area } = props;
  return (
    <InForm {...{ form, name, label, hint, required, className }}>
      <Textarea {...area} {...form.register(name)} />
    </InForm>
  );
}

export function SelectField<Values extends FieldValues>(
  props: Common<Values> & { options: readonly Option[] },
) {
  const { form, name, label, hint, required, className, options } = props;
  return (
    <InForm {...{ form, name, label, hint, required, className }}>
      <Select options={options} {...form.register(name)} />
    </InForm>
  );
}

export function CheckboxField<Values extends FieldValues>(
  props: Omit<Common<Values>, "label" | "required"> & { label: ReactNode },
) {
  const { form, name, label, hint, className } = props;
  const error = errorOf({ ...props, label: name });
  return (
    <Checkbox
      label={label}
      hint={hint}
      error={error}
      className={className}
      {...form.register(name)}
    />
  );
}

/** The name of a row: the first field of its form. */
export function NameField<Values extends FieldValues & { name: string }>(
  props: Pick<Common<Values>, "form" | "hint"> & { placeholder: string },
) {
  const name = "name" as Path<Values>; // each of them has it
  return <TextField {...props} name={name} label="Name" required autoFocus />;
}
