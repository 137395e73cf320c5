import { clsx } from "clsx";
import { type FieldValues, type Path, type UseFormReturn, useWatch } from "react-hook-form";
import { TextField } from "@/shared/form/fields";
import { passwordStrength, strengthNames } from "./rules";

const tones = ["bg-danger-solid", "bg-danger-solid", "bg-warning", "bg-success", "bg-success"];

/** A password to choose, with how strong it is. */
export function NewPasswordField<Values extends FieldValues>(props: {
  form: Pick<UseFormReturn<Values>, "register" | "formState" | "setFocus" | "control">;
  name: Path<Values>;
  label: string;
}) {
  const { form, name, label } = props;
  const password = String(useWatch({ control: form.control, name }) ?? "");
  const strength = form.formState.errors[name] ? 0 : passwordStrength(password);
  return (
    <div>
      <TextField
        form={form}
        name={name}
        label={label}
        type="password"
        autoComplete="new-password"
        required
      />
      <div className="mt-2 flex items-center gap-2 text-xs" role="status">
        <span aria-hidden="true" className="grid flex-1 grid-cols-4 gap-1">
          {[1, 2, 3, 4].map((step) => (
            <span
              key={step}
              className={clsx(
                "h-1 rounded-full",
                password && step <= Math.max(1, strength) ? tones[strength] : "bg-line",
              )}
            />
          ))}
        </span>
        <span className="w-28 text-right text-muted">
          Strength: {password ? strengthNames[strength] : "–"}
        </span>
      </div>
    </div>
  );
}
