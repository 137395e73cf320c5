import { ChoiceField, InputField } from "@/shared/ui/Field";
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
        options={{ rule: "By the price rule", percent: "± per cent", fixed: "One price" }}
      />
      {by === "fixed" ? (
        <InputField
          label="Price of one piece"
          error={values.price !== "" && problems.price}
          numeric
          autoFocus
          value={values.price}
          onChange={(text) => set({ price: text })}
          placeholder="0.12"
        />
      ) : (
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {by === "rule" && (
            <ChoiceField
              label="Start from"
              options={bases}
              value={values.basis}
              onChange={(value) => set({ basis: value })}
            />
          )}
          <InputField
            label="Per cent more (or less: -10)"
            error={values.percent !== "" && problems.percent}
            numeric
            value={values.percent}
            onChange={(text) => set({ percent: text })}
            placeholder={by === "rule" ? "as in my settings" : "-10"}
          />
          <ChoiceField
            label="Round to"
            options={by === "rule" ? steps : handSteps}
            value={by === "rule" ? values.rounding : values.handRounding}
            onChange={(value) => set({ [by === "rule" ? "rounding" : "handRounding"]: value })}
          />
          <InputField
            label="At least"
            error={problems.minimum}
            numeric
            value={values.minimum}
            onChange={(text) => set({ minimum: text })}
            placeholder={by === "rule" ? "as in my settings" : "0.01"}
          />
          {by === "rule" && (
            <ChoiceField
              label="Without price data"
              options={without}
              value={values.withoutData}
              onChange={(value) => set({ withoutData: value })}
            />
          )}
        </div>
      )}
    </>
  );
}
