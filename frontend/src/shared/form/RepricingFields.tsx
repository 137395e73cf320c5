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
          <InputField
            label="At least"
            error={problems.minimum}
            numeric
            value={values.minimum}
            onChange={(text) => set({ minimum: text })}
            placeholder={by === "rule" ? "as in my settings" : "0.01"}
          />
          <InputField
            label="At most"
            error={problems.maximum}
            numeric
            value={values.maximum}
            onChange={(text) => set({ maximum: text })}
            placeholder={by === "rule" ? "as in my settings" : "no limit"}
          />
          {by === "rule" && (
            <>
              <InputField
                label="Largest step, per cent"
                error={problems.maxStep}
                numeric
                value={values.maxStep}
                onChange={(text) => set({ maxStep: text })}
                placeholder="as in my settings"
              />
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
