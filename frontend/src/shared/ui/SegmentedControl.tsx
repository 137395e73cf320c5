import { clsx } from "clsx";
import { type ReactNode, useId } from "react";
import { entriesOf } from "@/shared/lib/records";

/**
 * A few exclusive choices, all visible: N/U, all/new/stowed/listed. A radio group for keyboards.
 */
export function SegmentedControl<Value extends string>(props: {
  label: string;
  value: Value;
  options: Readonly<Record<Value, ReactNode>>;
  onChange: (value: Value) => void;
}) {
  const name = useId();
  const options = entriesOf(props.options);
  return (
    <fieldset className="inline-flex w-fit min-w-0 max-w-full flex-wrap rounded-control border border-line bg-sunken p-0.5">
      <legend className="sr-only">{props.label}</legend>
      {options.map(([value, label]) => (
        <label
          key={value}
          className={clsx(
            "inline-flex h-7 cursor-pointer items-center gap-1.5 whitespace-nowrap rounded px-2 font-medium sm:px-2.5 text-xs has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-9",
            value === props.value ? "bg-raised text-ink shadow-card" : "text-muted hover:text-ink",
          )}
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === props.value}
            onChange={() => props.onChange(value)}
            className="sr-only"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
