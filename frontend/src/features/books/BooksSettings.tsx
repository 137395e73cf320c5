import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import * as z from "zod/mini";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { BodyOf, Schema } from "@/shared/api/wire";
import { FormDialog } from "@/shared/form/FormDialog";
import { CheckboxField, SelectField, TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { formatDate } from "@/shared/lib/format";
import { entriesOf } from "@/shared/lib/records";
import { invalidate } from "@/shared/lib/tags";
import { Button } from "@/shared/ui/Button";
import { ErrorState, Loading } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { booksQueries } from "./queries";
import { modeNames } from "./rules";

type Settings = Schema<"BooksSettingRow">;
type Change = BodyOf<"patch", "books/settings">;

const DAY = /^\d{4}-\d\d-\d\d$/;
const COUNTRY = /^[A-Z]{2}$/;
const day = z.string().check(z.regex(DAY, "A day, such as 2026-01-31."));
const country = z.string().check(z.regex(COUNTRY, "Two capital letters, such as DE."));

/** How the seller is taxed since when, corrected rates, numbers of invoices and of accounts. */
export function BooksSettings() {
  const settings = useQuery(booksQueries.settings());
  if (settings.isPending) return <Loading />;
  if (settings.isError) {
    return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />;
  }
  return <Parts settings={settings.data} />;
}

function useSave() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Change) => one(await api.patch("books/settings", { body })),
    onSuccess: () => invalidate(client, "books"),
  });
}

function Parts({ settings }: { settings: Settings }) {
  const [asked, setAsked] = useState<"mode" | "rate" | "numbers" | "accounts" | null>(null);
  const save = useSave();
  const own = settings.rates.filter(({ is_own }) => is_own);
  const close = () => setAsked(null);
  const done = async (body: Change) => {
    await save.mutateAsync(body);
    toast.success("Settings saved");
    close();
  };
  const remove = (body: Change) => save.mutate(body);
  return (
    <div className="flex flex-col gap-4 px-4 py-3">
      <p className="max-w-prose text-muted text-sm">
        VAT is worked out from these entries. This is not tax advice. Your address and VAT ID for
        invoices are in your profile.
      </p>
      <Dated
        title="How you are taxed"
        none="No entry: no VAT is worked out."
        rows={settings.modes.map((mode) => ({
          key: mode.since,
          text: `Since ${formatDate(mode.since)}: ${modeNames[mode.mode]}, ${mode.country}${mode.uses_oss ? ", one-stop-shop" : ""}`,
          remove: () => remove({ modes: settings.modes.filter((one) => one !== mode) }),
        }))}
        add={<Button onClick={() => setAsked("mode")}>Add an entry</Button>}
      />
      <Dated
        title="Your own rates"
        none="The standard rates of the EU's member states are used."
        rows={own.map((rate) => ({
          key: `${rate.country}${rate.since}`,
          text: `${rate.country} since ${formatDate(rate.since)}: ${Number(rate.percent)} %`,
          remove: () => remove({ rates: own.filter((one) => one !== rate).map(withoutOwn) }),
        }))}
        add={<Button onClick={() => setAsked("rate")}>Correct a rate</Button>}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={() => setAsked("numbers")}>Numbers of invoices</Button>
        <Button onClick={() => setAsked("accounts")}>Accounts of bookings</Button>
      </div>
      {asked === "mode" && <ModeForm settings={settings} onSave={done} onClose={close} />}
      {asked === "rate" && <RateForm rates={own.map(withoutOwn)} onSave={done} onClose={close} />}
      {asked === "numbers" && <NumbersForm settings={settings} onSave={done} onClose={close} />}
      {asked === "accounts" && <AccountsForm settings={settings} onSave={done} onClose={close} />}
    </div>
  );
}

const withoutOwn = ({ country, since, percent }: Settings["rates"][number]) => ({
  ...{ country, since, percent },
});

type Row = { key: string; text: string; remove: () => void };

function Dated(props: { title: string; none: string; rows: readonly Row[]; add: React.ReactNode }) {
  const { title, none, rows, add } = props;
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="font-medium text-sm">{title}</h3>
      {rows.length === 0 && <p className="text-muted text-sm">{none}</p>}
      <ul className="divide-y divide-line text-sm">
        {rows.map(({ key, text, remove }) => (
          <li key={key} className="flex items-center justify-between gap-3 py-1">
            <span className="min-w-0">{text}</span>
            <Button size="sm" variant="ghost" aria-label={`Remove: ${text}`} onClick={remove}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <div>{add}</div>
    </section>
  );
}

type FormProps = {
  settings: Settings;
  onSave: (body: Change) => Promise<void>;
  onClose: () => void;
};

function ModeForm({ settings, onSave, onClose }: FormProps) {
  const form = useZodForm({
    schema: z.object({
      since: day,
      mode: z.enum(["none", "small", "normal", "margin"]),
      country,
      uses_oss: z.boolean(),
    }),
    defaultValues: { since: "", mode: "none", country: "", uses_oss: false } as const,
    onSubmit: (values) =>
      onSave({ modes: [...settings.modes.filter(({ since }) => since !== values.since), values] }),
  });
  return (
    <FormDialog form={form} onClose={onClose} title="How you are taxed" submitLabel="Save entry">
      <TextField form={form} name="since" label="Since" type="date" required />
      <SelectField
        form={form}
        name="mode"
        label="VAT"
        options={entriesOf(modeNames).map(([value, label]) => ({ value, label }))}
      />
      <TextField form={form} name="country" label="Your country" placeholder="DE" required />
      <CheckboxField
        form={form}
        name="uses_oss"
        label="One-stop-shop"
        hint="Sales into other member states are taxed by their rates."
      />
    </FormDialog>
  );
}

function RateForm(props: Omit<FormProps, "settings"> & { rates: NonNullable<Change["rates"]> }) {
  const form = useZodForm({
    schema: z.object({
      country,
      since: day,
      percent: z.string().check(z.regex(/^\d{1,2}([.]\d{1,2})?$/, "A percentage, such as 19.5.")),
    }),
    defaultValues: { country: "", since: "", percent: "" },
    onSubmit: (values) =>
      props.onSave({
        rates: [
          ...props.rates.filter(
            (rate) => rate.country !== values.country || rate.since !== values.since,
          ),
          values,
        ],
      }),
  });
  return (
    <FormDialog form={form} onClose={props.onClose} title="Correct a rate" submitLabel="Save rate">
      <TextField form={form} name="country" label="Country" placeholder="DE" required />
      <TextField form={form} name="since" label="Since" type="date" required />
      <TextField form={form} name="percent" label="Percent" numeric required />
    </FormDialog>
  );
}

const WHOLE = z.string().check(z.regex(/^[1-9]\d{0,7}$/, "A whole number from 1."));

function NumbersForm({ settings, onSave, onClose }: FormProps) {
  const form = useZodForm({
    schema: z.object({
      invoice_prefix: z.string().check(z.maxLength(20, "At most 20 characters.")),
      first_serial: WHOLE,
      invoice_years: WHOLE,
    }),
    defaultValues: {
      invoice_prefix: settings.invoice_prefix,
      first_serial: String(settings.first_serial),
      invoice_years: String(settings.invoice_years),
    },
    onSubmit: ({ invoice_prefix, first_serial, invoice_years }) =>
      onSave({
        invoice_prefix,
        first_serial: Number(first_serial),
        invoice_years: Number(invoice_years),
      }),
  });
  return (
    <FormDialog form={form} onClose={onClose} title="Numbers of invoices" submitLabel="Save">
      <TextField form={form} name="invoice_prefix" label="Before the number" placeholder="R-" />
      <TextField
        form={form}
        name="first_serial"
        label="First number"
        hint="Can be changed until the first invoice is issued. Credit notes use the same series."
        numeric
      />
      <TextField
        form={form}
        name="invoice_years"
        label="Years to keep buyers on invoices"
        hint="Then name and address are erased; number and sums stay."
        numeric
      />
    </FormDialog>
  );
}

const accountNames = {
  money: "Money in transit",
  sales_none: "Sales without VAT",
  sales_small: "Sales of a small business",
  sales_normal: "Sales with VAT",
  sales_margin: "Sales by the margin scheme",
  sales_oss: "Sales by the one-stop-shop",
  sales_outside: "Sales outside the EU",
  sales_unknown: "Sales of an unknown rule",
  fees: "Fees",
  purchases: "Purchases",
  rounding: "Rounding",
  datev_consultant: "DATEV consultant number",
  datev_client: "DATEV client number",
} as const;

function AccountsForm({ settings, onSave, onClose }: FormProps) {
  const account = z.string().check(z.regex(/^[0-9A-Za-z.-]{1,10}$/, "1 to 10 letters or digits."));
  const form = useZodForm({
    schema: z.record(z.string(), account),
    defaultValues: settings.accounts,
    onSubmit: (accounts) => onSave({ accounts }),
  });
  return (
    <FormDialog form={form} onClose={onClose} title="Accounts of bookings" submitLabel="Save">
      <p className="text-muted text-sm">They start as in the German chart SKR03.</p>
      <div className="grid gap-3 sm:grid-cols-2">
        {entriesOf(accountNames).map(([name, label]) => (
          <TextField key={name} form={form} name={name} label={label} />
        ))}
      </div>
    </FormDialog>
  );
}
