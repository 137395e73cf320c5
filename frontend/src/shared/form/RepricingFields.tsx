import { optionsOf } from "@/shared/lib/names";
import { bases, roundings, withoutDataNames } from "@/shared/lib/priceRule";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { type Repricing, repricingProblems } from "./repricing";

const asSet = { value: "", label: "As in my settings" };
const starts = [asSet, ...bases];
const handSteps = roundings();
const steps = [asSet, ...handSteps];
const without = [asSet, ...optionsOf(withoutDataNames)];

/** How prices change: by the price rule, by a percentage, or one price for all. */
export function RepricingFields(props: {
  values: Repricing;
  onChange: (values: Repricing) => void;
}) {
  const { values, onChange } = props;
  const { by } = values;
  const problems = repricingProblems(values);
  const set = (some: Partial<Repricing>) => onChange({ ...values, start: 0, ...some });
  const number = (name: "minimum" | "maximum" | "maxStep", label: string, none?: string) => (
    <InputField
      label={label}
      error={problems[name]}
      numeric
      value={values[name]}
      onChange={(text) => set({ [name]: text })}
      placeholder={by === "rule" ? "as in my settings" : none}
    />
  );
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
              options={starts}
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
          {number("minimum", "At least", "0.01")}
          {number("maximum", "At most", "no limit")}
          {by === "rule" && (
            <>
              {number("maxStep", "Largest step, per cent")}
              <ChoiceField
                label="Without price data"
                options={without}
                value={values.withoutData}
                onChange={(value) => set({ withoutData: value })}
              />
            </>
          )}
        </div>
      )}
    </>
  );
}
