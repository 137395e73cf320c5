import { clsx } from "clsx";
import { ChevronDown, CircleAlert } from "lucide-react";
import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useCallback,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { DEBOUNCE_MS } from "@/shared/lib/useDebounced";

type FieldIds = { id: string; describedBy?: string; invalid: boolean; required: boolean };
const FieldContext = createContext<FieldIds | null>(null);

export type FieldProps = {
  label: string;
  /** Hidden, but read by screen readers (a search box in a toolbar). */
  hideLabel?: boolean;
  hint?: ReactNode;
  /** True: the control is marked, without a text. */
  error?: string | boolean | null;
  required?: boolean;
  className?: string;
  children: ReactNode;
};

/**
 * Label, control, hint and error of one field. The control inside gets its ids from here. The error
 * may be judged at each key: it is shown 300 ms after the last one.
 */
export function Field(props: FieldProps) {
  const { label, hideLabel, hint, required = false, className, children } = props;
  const id = useId();
  const { shown, typing } = useShownError(props.error || null);
  const error = shown === true ? null : shown;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const ids = { id, describedBy: described || undefined, invalid: shown !== null, required };
  return (
    <FieldContext value={ids}>
      <div className={clsx("flex min-w-0 flex-col gap-1.5", className)} {...typing}>
        <label htmlFor={id} className={hideLabel ? "sr-only" : "font-medium text-ink text-xs"}>
          {label}
          {required && !hideLabel && (
            <span aria-hidden="true" className="text-danger">
              {" *"}
            </span>
          )}
        </label>
        {children}
        {hint && (
          <div id={`${id}-hint`} className="text-muted text-xs">
            {hint}
          </div>
        )}
        {error && (
          <p id={`${id}-error`} className="flex items-start gap-1 text-danger text-xs">
            <CircleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />
            {error}
          </p>
        )}
      </div>
    </FieldContext>
  );
}

/** The attributes that tie a control to the Field around it. */
function useFieldProps() {
  const field = useContext(FieldContext);
  if (!field) return {};
  return {
    id: field.id,
    "aria-describedby": field.describedBy,
    "aria-invalid": field.invalid || undefined,
    "aria-required": field.required || undefined,
  };
}

export const controlClass =
  "w-full min-w-0 rounded-control border border-edge bg-surface px-2.5 text-sm text-ink transition-colors " +
  "hover:border-muted focus-visible:border-accent focus-visible:outline-offset-0 " +
  "aria-invalid:border-danger disabled:bg-sunken disabled:text-muted";
// Not on selects: CSS never treats them as writable.
const readOnly = "read-only:bg-sunken";
const controlHeight = "h-8 pointer-coarse:h-10";

export function Input({
  className,
  numeric,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { numeric?: boolean; ref?: Ref<HTMLInputElement> }) {
  return (
    <input
      autoComplete="off"
      inputMode={numeric ? "decimal" : undefined}
      {...useFieldProps()}
      {...rest}
      className={clsx(
        controlClass,
        readOnly,
        controlHeight,
        numeric && "text-right tabular-nums",
        className,
      )}
    />
  );
}

export function Textarea({
  className,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return (
    <textarea
      rows={3}
      {...useFieldProps()}
      {...rest}
      className={clsx(controlClass, readOnly, "py-1.5 leading-5", className)}
    />
  );
}

export type Option = { value: string; label: string; disabled?: boolean };

export function Select({
  options,
  className,
  ...rest
}: SelectHTMLAttributes<HTMLSelectElement> & {
  options: readonly Option[];
  ref?: Ref<HTMLSelectElement>;
}) {
  return (
    <span className={clsx("relative inline-flex w-full", className)}>
      <select
        {...useFieldProps()}
        {...rest}
        className={clsx(controlClass, controlHeight, "appearance-none truncate pr-8")}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  );
}

/** What a control shows, and what it calls with each change. */
export type Control<Value> = { value: Value; onChange: (value: Value) => void };

type Labelled<Props> = Omit<FieldProps, "children"> & Omit<Props, "className" | keyof Control<0>>;

/** A labelled input that holds a text. `TextField` is for a text of a form. */
export function InputField(props: Labelled<ComponentProps<typeof Input>> & Control<string>) {
  const { label, hideLabel, hint, error, required, className, onChange, ...input } = props;
  return (
    <Field {...{ label, hideLabel, hint, error, required, className }}>
      <Input {...input} onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
}

/** A labelled list that holds one of its options. `SelectField` is for a choice of a form. */
export function ChoiceField<Value extends string>(
  props: Labelled<Omit<ComponentProps<typeof Select>, "options">> & {
    value: Value | undefined;
    onChange: (value: Value) => void;
    options: readonly (Option & { value: NoInfer<Value> })[];
  },
) {
  const { label, hideLabel, hint, error, required, className, onChange, ...select } = props;
  return (
    <Field {...{ label, hideLabel, hint, error, required, className }}>
      <Select
        {...select}
        onChange={({ target }) => onChange(target.value as Value)} // of one of the options
      />
    </Field>
  );
}

/** What is typed into, unlike a box to tick or a list to choose from. */
const TYPED = "textarea, input:not([type=checkbox], [type=radio], [type=file])";

/**
 * The error of a typed field as it is shown: 300 ms after the last key, and at once when the field
 * is left or sent. It goes as soon as the input is valid. `typing` is for the element around the field.
 */
function useShownError<Error>(error: Error | null) {
  /** What was shown when the person began to type. */
  const [held, setHeld] = useState<{ before: Error | null } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const shown = held && error ? held.before : error;
  const end = useCallback(() => {
    clearTimeout(timer.current);
    setHeld(null);
  }, []);
  const isTyping = held !== null;
  useEffect(() => {
    if (!isTyping) return;
    document.addEventListener("submit", end, true);
    return () => document.removeEventListener("submit", end, true);
  }, [isTyping, end]);
  return {
    shown,
    typing: {
      onInput: ({ target }: FormEvent) => {
        if (!(target instanceof Element && target.matches(TYPED))) return;
        clearTimeout(timer.current);
        timer.current = setTimeout(end, DEBOUNCE_MS);
        setHeld({ before: shown });
      },
      onBlur: end,
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === "Enter") end();
      },
    },
  };
}
