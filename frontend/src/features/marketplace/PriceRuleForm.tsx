import type { ReactNode } from "react";
import * as z from "zod/mini";
import { CheckboxField, SelectField, TextField } from "@/shared/form/fields";
import { fits, fitsTogether } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { numberOrNull, optionally, priceOf, whyNotPrice, whyNotWhole } from "@/shared/lib/amounts";
import { optionsOf } from "@/shared/lib/names";
import { numberText } from "@/shared/lib/numbers";
import { percentOf, whyNotPercent } from "@/shared/lib/percent";
import {
  type Basis,
  bases,
  basisNames,
  isLowest,
  roundingBody,
  roundingOf,
  roundings,
  withoutDataNames,
} from "@/shared/lib/priceRule";
import { regionNames } from "@/shared/lib/regions";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import type { PriceRule } from "./model";
import { useSavePriceRule } from "./mutations";

const MOST_LOWEST = 10;
const amount = z.string().check(fits(whyNotPrice));
const basis = z.enum(Object.keys(basisNames) as [Basis, ...Basis[]]);

function whyNotRulePercent(text: string): string | null {
  const percent = Number(percentOf(text));
  return percent < -99 || percent > 900 ? "From -99 to 900." : whyNotPercent(text);
}
function whyNotStep(text: string): string | null {
  return Number(percentOf(text)) <= 0 ? "More than 0." : whyNotPercent(text);
}

const schema = z
  .object({
    basis,
    nth: z.string().check(fits((text) => whyNotWhole(text, 1, MOST_LOWEST))),
    fallback: z.union([basis, z.literal("")]),
    region: z.enum(["global", "eu", "us", "country"]),
    country: z.string(),
    percent: z.string().check(fits(whyNotRulePercent)),
    rounding: z.string(),
    minimum: amount,
    maximum: z.string().check(fits(optionally(whyNotPrice))),
    max_step: z.string().check(fits(optionally(whyNotStep))),
    without_data: z.enum(["keep", "zero", "mark"]),
    is_nightly: z.boolean(),
    low_value: amount,
    high_value: amount,
  })
  .check(
    fitsTogether("country", ({ region, country }) =>
      region === "country" && !/^[a-z]{2}$/i.test(country.trim())
        ? "Two letters, such as DE."
        : null,
    ),
    fitsTogether("maximum", ({ minimum, maximum }) =>
      maximum.trim() !== "" && Number(priceOf(maximum)) < Number(priceOf(minimum))
        ? "At least the lowest price."
        : null,
    ),
  );

const regions = optionsOf({ ...regionNames, eu: "European Union", country: "One country" });
const withoutData = optionsOf(withoutDataNames);
const fallbacks = [{ value: "", label: "Nothing" }, ...bases];

/** The API's region of the two fields. */
function regionOf(region: string, country: string): string {
  if (region !== "country") return region;
  const code = country.trim().toUpperCase();
  return code === "US" ? "us" : code;
}

/** The price rule: where it starts, what is added, its bounds, and when it is applied. */
export function PriceRuleForm({ rule }: { rule: PriceRule }) {
  const save = useSavePriceRule();
  const isOfCountry = !["global", "eu", "us"].includes(rule.region);
  const present = roundingOf(rule.rounding, rule.ending);
  const form = useZodForm({
    schema,
    defaultValues: {
      basis: rule.basis,
      nth: String(rule.nth),
      fallback: rule.fallback,
      region: isOfCountry ? "country" : (rule.region as "global"),
      country: isOfCountry ? rule.region : "",
      percent: numberText(rule.percent),
      rounding: present,
      minimum: numberText(rule.minimum),
      maximum: numberText(rule.maximum),
      max_step: numberText(rule.max_step),
      without_data: rule.without_data,
      is_nightly: rule.is_nightly,
      low_value: numberText(rule.low_value),
      high_value: numberText(rule.high_value),
    },
    onSubmit: async ({ country, rounding, ...values }) => {
      await save.mutateAsync({
        ...values,
        ...roundingBody(rounding),
        nth: Number(values.nth),
        region: regionOf(values.region, country),
        percent: percentOf(values.percent),
        minimum: priceOf(values.minimum),
        maximum: numberOrNull(values.maximum),
        max_step: values.max_step.trim() === "" ? null : percentOf(values.max_step),
        low_value: priceOf(values.low_value),
        high_value: priceOf(values.high_value),
      });
      toast.success("Settings saved");
    },
  });
  const [start, second, region] = form.watch(["basis", "fallback", "region"]);
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-col gap-5 px-4 py-3">
      <div>
        <div className="flex items-center gap-2">
          <span className="font-medium">Price rule</span>
          <span className="text-muted text-xs">account</span>
        </div>
        <p className="mt-0.5 max-w-prose text-muted text-xs">
          The price that is proposed when you add a lot, and that lots get when they are re-priced.
        </p>
      </div>
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <Group title="Figure">
        <SelectField form={form} name="basis" label="Starts from" options={bases} />
        {(isLowest(start) || isLowest(second)) && (
          <TextField form={form} name="nth" label="Which of the lowest" hint="1 to 10." numeric />
        )}
        <SelectField form={form} name="region" label="Sellers in" options={regions} />
        {region === "country" && (
          <TextField form={form} name="country" label="Country" hint="Two letters, such as DE." />
        )}
        <SelectField form={form} name="fallback" label="If there is none" options={fallbacks} />
        <SelectField
          form={form}
          name="without_data"
          label="Without any figure"
          options={withoutData}
        />
      </Group>
      <Group title="Price">
        <TextField form={form} name="percent" label="Plus percent" hint="-10 asks less." numeric />
        <SelectField form={form} name="rounding" label="Rounded" options={roundings(present)} />
        <TextField form={form} name="minimum" label="At least" numeric />
        <TextField form={form} name="maximum" label="At most" placeholder="no limit" numeric />
        <TextField
          form={form}
          name="max_step"
          label="Largest step, percent"
          hint="Each time, up or down."
          placeholder="any"
          numeric
        />
        <CheckboxField
          form={form}
          name="is_nightly"
          label="Re-price my stock every night"
          hint="At midnight UTC, within the day's calls. Locked prices stay. Undo it under More in the inventory."
          className="self-center"
        />
      </Group>
      <Group title="Highlights">
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
      </Group>
      <Button type="submit" loading={save.isPending} className="self-start">
        Save
      </Button>
    </form>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium text-sm">{title}</legend>
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">{children}</div>
    </fieldset>
  );
}
