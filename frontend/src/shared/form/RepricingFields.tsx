import { Field, Input, Select } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { type Repricing, repricingProblems } from "./repricing";

const bases = [
  { value: "", label: "As in my settings" },
  { value: "reference", label: "Sold, else asked" },
  { value: "sold", label: "Average sold" },
  { value: "asked", label: "Average asked" },
  { value: "lowest", label: "Lowest asked" },
];
const steps = [
  { value: "", label: "As in my settings" },
  { value: "0", label: "Not rounded" },
  { value: "0.01", label: "0.01" },
  { value: "0.05", label: "0.05" },
  { value: "0.1", label: "0.10" },
];
const handSteps = steps.filter(({ value }) => value !== "");
const without = [
  { value: "", label: "As in my settings" },
  { value: "keep", label: "Keep their price" },
  { value: "zero", label: "Take it away" },
  { value: "mark", label: "Keep it and list them here" },
];

/** How prices change: by the price rule, by a percentage, or one price for all. */
export function RepricingFields(props: {
  values: Repricing;
  onChange: (values: Repricing) => void;
}) {
  const { values, onChange } = props;
  const { by } = values;
  const problems = repricingProblems(values);
  const set = (some: Partial<Repricing>) => onChange({ ...values, ...some });
  return (
    <>
      <SegmentedControl
        label="How"
        value={by}
        onChange={(next) => set({ by: next })}
        options={[
          { value: "rule", label: "By the price rule" },
          { value: "percent", label: "± per cent" },
          { value: "fixed", label: "One price" },
        ]}
      />
      {by === "fixed" ? (
        <Field label="Price of one piece" error={values.price !== "" && problems.price}>
          <Input
            numeric
            autoFocus
            value={values.price}
            onChange={(event) => set({ price: event.target.value })}
            placeholder="0.12"
          />
        </Field>
      ) : (
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {by === "rule" && (
            <Field label="Start from">
              <Select
                options={bases}
                value={values.basis}
                onChange={(event) => set({ basis: event.target.value })}
              />
            </Field>
          )}
          <Field
            label="Per cent more (or less: -10)"
            error={values.percent !== "" && problems.percent}
          >
            <Input
              numeric
              value={values.percent}
              onChange={(event) => set({ percent: event.target.value })}
              placeholder={by === "rule" ? "as in my settings" : "-10"}
            />
          </Field>
          <Field label="Round to">
            <Select
              options={by === "rule" ? steps : handSteps}
              value={by === "rule" ? values.rounding : values.handRounding}
              onChange={(event) =>
                set({ [by === "rule" ? "rounding" : "handRounding"]: event.target.value })
              }
            />
          </Field>
          <Field label="At least" error={problems.minimum}>
            <Input
              numeric
              value={values.minimum}
              onChange={(event) => set({ minimum: event.target.value })}
              placeholder={by === "rule" ? "as in my settings" : "0.01"}
            />
          </Field>
          {by === "rule" && (
            <Field label="Without price data">
              <Select
                options={without}
                value={values.withoutData}
                onChange={(event) => set({ withoutData: event.target.value })}
              />
            </Field>
          )}
        </div>
      )}
    </>
  );
}
