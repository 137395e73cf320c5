import { clsx } from "clsx";
import {
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useRef,
} from "react";

type BoxProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type"> & {
  ref?: Ref<HTMLInputElement>;
};

const box = "size-4 shrink-0 cursor-pointer rounded accent-(--accent) disabled:cursor-not-allowed";

/** A checkbox with its label beside it; `error` appears below. */
export function Checkbox({
  label,
  hint,
  error,
  className,
  ...rest
}: BoxProps & { label: ReactNode; hint?: ReactNode; error?: string | false | null }) {
  const id = useId();
  const below = hint || error;
  return (
    <div className={clsx("flex flex-col gap-1", className)}>
      <div className="flex items-start gap-2">
        <input
          id={id}
          {...rest}
          type="checkbox"
          aria-invalid={Boolean(error) || undefined}
          aria-describedby={below ? `${id}-below` : undefined}
          className={clsx(box, "mt-0.5")}
        />
        <label htmlFor={id} className="cursor-pointer leading-5">
          {label}
        </label>
      </div>
      {below && (
        <p
          id={`${id}-below`}
          className={clsx("pl-6 text-xs", error ? "text-danger" : "text-muted")}
        >
          {error || hint}
        </p>
      )}
    </div>
  );
}

/** A checkbox that holds whether it is ticked. `CheckboxField` is for one of a form. */
export function CheckField({
  value,
  onChange,
  ...box
}: Omit<ComponentProps<typeof Checkbox>, "checked" | "value" | "onChange"> & {
  value: boolean | undefined;
  onChange: (ticked: boolean) => void;
}) {
  return <Checkbox {...box} checked={value} onChange={({ target }) => onChange(target.checked)} />;
}

/** A checkbox without a visible label, for table rows and heads; screen readers read its name. */
export function SelectBox({
  label,
  indeterminate = false,
  className,
  ...rest
}: BoxProps & { label: string; indeterminate?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return (
    <input
      {...rest}
      ref={input}
      type="checkbox"
      aria-label={label}
      className={clsx(box, className)}
    />
  );
}

/** A switch with an immediate effect: for settings without a Save button. */
export function Switch({
  label,
  hideLabel,
  checked,
  onChange,
  hint,
  disabled,
}: {
  label: string;
  hideLabel?: boolean;
  checked: boolean;
  onChange: (checked: boolean) => void;
  hint?: ReactNode;
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <span className="inline-flex items-start gap-2">
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={checked}
        aria-label={hideLabel ? label : undefined}
        aria-labelledby={hideLabel ? undefined : `${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        disabled={disabled}
        onClick={() => onChange(!checked)}
        className={clsx(
          "mt-px inline-flex h-[18px] w-8 shrink-0 items-center rounded-full border p-px transition-colors disabled:opacity-55",
          checked ? "border-accent bg-accent" : "border-edge bg-edge",
        )}
      >
        <span
          className={clsx(
            "size-3.5 rounded-full bg-on-accent transition-transform",
            checked && "translate-x-3.5",
          )}
        />
      </button>
      {!hideLabel && (
        <span className="flex flex-col">
          <label id={`${id}-label`} htmlFor={id} className="cursor-pointer leading-5">
            {label}
          </label>
          {hint && (
            <span id={`${id}-hint`} className="text-muted text-xs">
              {hint}
            </span>
          )}
        </span>
      )}
    </span>
  );
}
