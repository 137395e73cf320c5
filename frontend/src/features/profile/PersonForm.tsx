import { Link } from "react-router-dom";
import * as z from "zod/mini";
import type { User } from "@/features/auth/public";
import { SelectField, TextareaField, TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { currencyName } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { Button } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { Field, Input } from "@/shared/ui/Field";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useSaveProfile } from "./mutations";
import { useCurrency } from "./queries";

const MONTHS = /^([1-9]\d?|1\d\d|2[0-3]\d|240)$/;
const ZIP = /^([0-9a-z][0-9a-z -]*)?$/i;

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Enter your name."), z.maxLength(150)),
  bidder_name: z.string().check(z.trim(), z.maxLength(100, "At most 100 characters.")),
  zip_code: z
    .string()
    .check(
      z.trim(),
      z.maxLength(12, "At most 12 characters."),
      z.regex(ZIP, "Letters, digits, spaces and hyphens only."),
    ),
  units: z.enum(["g", "oz"]),
  time_zone: z.string(),
  seller_address: z.string().check(z.trim(), z.maxLength(1_000, "At most 1,000 characters.")),
  vat_id: z.string().check(z.trim(), z.maxLength(40, "At most 40 characters.")),
  buyer_data_months: z
    .string()
    .check(z.trim(), z.regex(MONTHS, "A whole number of months from 1 to 240.")),
});

const UNITS = [
  { value: "g", label: "Grams and kilograms" },
  { value: "oz", label: "Ounces and pounds" },
];

/** Who you are to the product, and how it writes weights and times for you. */
export function PersonForm({ user }: { user: User }) {
  const save = useSaveProfile();
  const currency = useCurrency();
  const form = useZodForm({
    schema,
    defaultValues: valuesOf(user),
    onSubmit: async (values) => {
      const saved = await save.mutateAsync({
        ...values,
        buyer_data_months: Number(values.buyer_data_months),
        updatedAt: user.updatedAt,
      });
      form.reset(valuesOf(saved));
      toast.success("Profile saved");
    },
  });
  return (
    <Card title="You">
      <form noValidate onSubmit={form.submit} className="flex flex-col gap-4">
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField form={form} name="name" label="Name" autoComplete="name" required />
          <Field label="E-mail address" hint="This is what you sign in with.">
            <Input value={user.email_address} readOnly />
          </Field>
          <TextField
            form={form}
            name="bidder_name"
            label="Bidder name"
            hint="Your name at the auction site: your own bids are recognised by it."
          />
          <TextField
            form={form}
            name="zip_code"
            label="ZIP code"
            hint="Shipping is calculated to here."
            autoComplete="postal-code"
          />
          <Field label="Language" hint="The only one for now.">
            <Input value="English" readOnly />
          </Field>
          <Field label="Currency" hint={<CurrencyHint />}>
            <Input value={currency ? currencyName(currency) : ""} readOnly />
          </Field>
          <SelectField form={form} name="units" label="Units" options={UNITS} />
          <SelectField form={form} name="time_zone" label="Time zone" options={timeZones(user)} />
          <TextareaField
            form={form}
            name="seller_address"
            label="Address on packing slips"
            hint="Left empty: only your name is printed."
          />
          <TextField
            form={form}
            name="vat_id"
            label="VAT ID"
            hint="Printed on packing slips, if you have one."
          />
          <TextField
            form={form}
            name="buyer_data_months"
            label="Months to keep buyers' data"
            hint="Counted from the order. Then names, addresses and e-mails are erased; sums stay."
            numeric
          />
        </div>
        <div>
          <Button
            type="submit"
            variant="primary"
            loading={save.isPending}
            disabledReason={!form.formState.isDirty && "Nothing has changed"}
          >
            Save
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Another currency asks what becomes of all amounts, so it is more than a field to save. */
function CurrencyHint() {
  return (
    <>
      Of all prices and costs.{" "}
      <Link to={pathTo("settings", {}, "integrations")} className="text-accent-ink underline">
        Change it in Settings
      </Link>
    </>
  );
}

function valuesOf(user: User) {
  const { name, bidder_name = "", zip_code = "", units, time_zone = "" } = user;
  const { seller_address = "", vat_id = "", buyer_data_months = 24 } = user;
  return {
    ...{ name, bidder_name, zip_code, units: units ?? "g", time_zone },
    ...{ seller_address, vat_id, buyer_data_months: String(buyer_data_months) },
  } as const;
}

/** All that this browser knows, and the person's own where it does not. */
function timeZones({ time_zone = "" }: User) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = Intl.supportedValuesOf("timeZone");
  const names = !time_zone || known.includes(time_zone) ? known : [time_zone, ...known];
  return [
    { value: "", label: `This device's (${here})` },
    ...names.map((name) => ({ value: name, label: name.replaceAll("_", " ") })),
  ];
}
