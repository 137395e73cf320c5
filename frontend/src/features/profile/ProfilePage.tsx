import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import * as z from "zod/mini";
import {
  NewPasswordField,
  newPasswordRule,
  type User,
  useUser,
  useWeakness,
} from "@/features/auth/public";
import { OwnData } from "@/features/backups/public";
import { SelectField, TextareaField, TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { currencyName, formatDate, formatDateTime } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { Badge } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Card, Page, PageHeader } from "@/shared/ui/Card";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { Field, Input } from "@/shared/ui/Field";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ErrorState, Loading, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { DeleteAccount } from "./DeleteAccount";
import {
  useChangePassword,
  useEndOtherSessions,
  useEndSession,
  useSaveProfile,
  useSendConfirmation,
} from "./mutations";
import { profileQueries, useCurrency } from "./queries";

const SecondFactor = lazyPart(() =>
  import(/* webpackChunkName: "second-factor" */ "./SecondFactor").then((m) => m.SecondFactor),
);

export function ProfilePage() {
  const me = useQuery(profileQueries.me());

  return (
    <Page narrow>
      <PageHeader
        title="Profile"
        description={me.data?.createdAt ? `Member since ${formatDate(me.data.createdAt)}` : " "}
      />
      {me.isError && <ErrorState error={me.error} onRetry={() => me.refetch()} />}
      {me.isPending && <Loading />}
      {me.data && (
        <div className="flex flex-col gap-4">
          {me.data.is_address_confirmed === false && (
            <ConfirmNotice emailAddress={me.data.email_address} />
          )}
          <PersonForm user={me.data} />
          <PasswordForm />
          <SecondFactor />
          <Sessions />
          <Card title="Export data">
            <OwnData label="Export data" />
          </Card>
          <DeleteAccount emailAddress={me.data.email_address} />
        </div>
      )}
    </Page>
  );
}

/** Until an address is confirmed no link for a new password goes there: says so. */
function ConfirmNotice({ emailAddress }: { emailAddress: string }) {
  const send = useSendConfirmation();
  const again = () =>
    send.mutate(undefined, {
      onSuccess: ({ message }) => toast.success(message ?? "The link is on its way."),
    });
  return (
    <Notice tone="info" title="Confirm your e-mail address">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p>
          Follow the link that we sent to <span className="break-all">{emailAddress}</span>. Until
          then you cannot set a new password by mail.
        </p>
        <Button size="sm" loading={send.isPending} onClick={again}>
          Send again
        </Button>
      </div>
    </Notice>
  );
}

const MONTHS = /^([1-9]\d?|1\d\d|2[0-3]\d|240)$/;
const ZIP = /^([0-9a-z][0-9a-z -]*)?$/i;

const personSchema = z.object({
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
function PersonForm({ user }: { user: User }) {
  const save = useSaveProfile();
  const currency = useCurrency();
  const form = useZodForm({
    schema: personSchema,
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

const passwordSchema = z.object({
  current_password: z.string().check(z.minLength(1, "Enter your present password.")),
  new_password: newPasswordRule,
});

function PasswordForm() {
  const change = useChangePassword();
  const user = useUser();
  const judge = useWeakness<z.infer<typeof passwordSchema>>("new_password", () => ({
    email_address: user?.email_address ?? "",
    name: user?.name ?? "",
  }));
  const form = useZodForm({
    guarded: false,
    schema: passwordSchema,
    judge,
    defaultValues: { current_password: "", new_password: "" },
    onSubmit: async (passwords) => {
      await change.mutateAsync(passwords);
      form.reset();
      toast.success("Password changed. Other sessions have ended.");
    },
  });
  return (
    <Card title="Password" description="Changing it signs out every other device.">
      <form noValidate onSubmit={form.submit} className="flex flex-col gap-4">
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            form={form}
            name="current_password"
            label="Present password"
            type="password"
            autoComplete="current-password"
            required
          />
          <NewPasswordField form={form} name="new_password" label="New password" />
        </div>
        <div>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Where this account is signed in, and ways to end one of the other sessions or all of them. */
function Sessions() {
  const sessions = useQuery(profileQueries.sessions());
  const end = useEndOtherSessions();
  const endOne = useEndSession();
  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  const here = sessions.data?.filter(({ current }) => current) ?? [];
  return (
    <Card title="Sessions" description="Where you are signed in.">
      {sessions.isError && <ErrorState error={sessions.error} onRetry={() => sessions.refetch()} />}
      {sessions.isPending && <Loading />}
      {sessions.data && (
        <div className="flex flex-col gap-4">
          <ul aria-label="Sessions" className="divide-y divide-line">
            {[...here, ...others].map(({ id, device, lastUsedAt, current }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
                <span className="flex items-center gap-2">
                  {device || "Unknown device"}
                  {current && <Badge tone="success">This one</Badge>}
                </span>
                <span className="flex items-center gap-2">
                  <span className="text-muted text-sm">Last used {formatDateTime(lastUsedAt)}</span>
                  {!current && (
                    <DestructiveButton
                      size="sm"
                      variant="ghost"
                      aria-label={`End session of ${device || "Unknown device"}`}
                      action={{
                        label: "End session",
                        done: "The session has ended",
                        confirm: `${device || "Unknown device"} is signed out at once.`,
                        run: () => endOne.mutateAsync(id),
                      }}
                    />
                  )}
                </span>
              </li>
            ))}
          </ul>
          <div>
            <DestructiveButton
              action={{
                label: "Sign out others",
                done: "The other sessions have ended",
                confirm: `${others.length === 1 ? "One other session ends" : `${others.length} other sessions end`} at once. So do the tokens of programs.`,
                run: () => end.mutateAsync(),
              }}
              disabledReason={others.length === 0 && "You are not signed in anywhere else"}
            />
          </div>
        </div>
      )}
    </Card>
  );
}
