import * as z from "zod/mini";
import { SelectField, TextField } from "@/shared/form/fields";
import { fits } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { priceOf, whyNotPrice } from "@/shared/lib/amounts";
import { formatMoney } from "@/shared/lib/format";
import { optionsOf } from "@/shared/lib/names";
import { numberText } from "@/shared/lib/numbers";
import { percentOf, whyNotPercent } from "@/shared/lib/percent";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { basisNames, type PriceRule } from "./model";
import { useSavePriceRule } from "./mutations";

const amount = z.string().check(fits(whyNotPrice));
function whyNotRulePercent(text: string): string | null {
  const percent = Number(percentOf(text));
  return percent < -99 || percent > 900 ? "From -99 to 900." : whyNotPercent(text);
}
const schema = z.object({
  basis: z.enum(["reference", "sold", "asked", "lowest"]),
  region: z.enum(["global", "us"]),
  percent: z.string().check(fits(whyNotRulePercent)),
  rounding: z.enum(["0", "0.001", "0.01", "0.05", "0.1"]),
  minimum: amount,
  without_data: z.enum(["keep", "zero", "mark"]),
  low_value: amount,
  high_value: amount,
});

const bases = optionsOf(basisNames);
const regions = [
  { value: "global", label: "Worldwide" },
  { value: "us", label: "US" },
];
const steps = [
  { value: "0" as const, label: "No rounding" },
  ...(["0.001", "0.01", "0.05", "0.1"] as const).map((value) => ({
    value,
    label: formatMoney(value),
  })),
];
const withoutData = [
  { value: "keep", label: "Keep the price" },
  { value: "zero", label: "Take it away" },
  { value: "mark", label: "Keep it and notify me" },
];

type Step = z.infer<typeof schema>["rounding"];
const stepOf = (text: string): Step =>
  steps.find(({ value }) => Number(value) === Number(text))?.value ?? "0.01";

/** The price rule: where it starts, what is added, how it is rounded. */
export function PriceRuleForm({ rule }: { rule: PriceRule }) {
  const save = useSavePriceRule();
  const form = useZodForm({
    schema,
    defaultValues: {
      basis: rule.basis,
      region: rule.region,
      percent: numberText(rule.percent),
      rounding: stepOf(rule.rounding),
      minimum: numberText(rule.minimum),
      without_data: rule.without_data,
      low_value: numberText(rule.low_value),
      high_value: numberText(rule.high_value),
    },
    onSubmit: async (values) => {
      const { percent, minimum, low_value, high_value } = values;
      await save.mutateAsync({
        ...values,
        percent: percentOf(percent),
        minimum: priceOf(minimum),
        low_value: priceOf(low_value),
        high_value: priceOf(high_value),
      });
      toast.success("Settings saved");
    },
  });
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-col gap-3 px-4 py-3">
      <div className="flex items-center gap-2">
        <span className="font-medium">Price rule</span>
        <span className="text-muted text-xs">account</span>
      </div>
      <p className="max-w-prose text-muted text-xs">
        The price that is proposed when you add a lot, and that a batch gets when it is re-priced.
      </p>
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <SelectField form={form} name="basis" label="Starts from" options={bases} />
        <SelectField form={form} name="region" label="Sales of" options={regions} />
        <TextField form={form} name="percent" label="Plus percent" hint="-10 asks less." numeric />
        <SelectField form={form} name="rounding" label="Rounded to" options={steps} />
        <TextField form={form} name="minimum" label="At least" numeric />
        <SelectField form={form} name="without_data" label="Without data" options={withoutData} />
        <TextField
          form={form}
          name="low_value"
          label="Low value below"
          hint="Such lots can be hidden."
          numeric
        />
        <TextField
          form={form}
          name="high_value"
          label="High value from"
          hint="Such lots are highlighted."
          numeric
        />
      </div>
      <Button type="submit" loading={save.isPending} className="self-start">
        Save
      </Button>
    </form>
  );
}
