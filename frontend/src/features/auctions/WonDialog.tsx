import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import * as z from "zod/mini";
import { profileQueries } from "@/features/profile/public";
import { sourceQueries } from "@/features/sources/public";
import { FormDialog } from "@/shared/form/FormDialog";
import { SelectField, TextField } from "@/shared/form/fields";
import { fits } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { decimalOf, numberOrNull, optionally } from "@/shared/lib/amounts";
import { formatMoney } from "@/shared/lib/format";
import { decimalText, numberText } from "@/shared/lib/numbers";
import { Dialog } from "@/shared/ui/Dialog";
import { ErrorState, Loading, LoadProblem } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import type { Listing } from "./model";
import { useMakeBatch } from "./mutations";

const USD = "USD";
const AS_THE_SITE = "site";
const NONE = "none";

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "A batch needs a name."), z.maxLength(200)),
  source: z.string(),
  cost: z
    .string()
    .check(z.trim(), fits(optionally(decimalOf(8, 2, "An amount such as 24.50, or empty.")))),
});

/** Turns a won listing into a batch: name, source and what it cost, ready to be sorted. */
export function WonDialog(props: { listing: Listing; onClose: () => void }) {
  const { data: preferences, error, refetch } = useQuery(profileQueries.preferences());
  if (preferences) return <WonForm {...props} currency={preferences.currency} />;
  return (
    <Dialog open onClose={props.onClose} title="Make a batch of it" size="sm">
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading />}
    </Dialog>
  );
}

function WonForm(props: { listing: Listing; currency: string; onClose: () => void }) {
  const { listing, currency, onClose } = props;
  const sourceList = useQuery(sourceQueries.options());
  const sources = sourceList.data ?? [];
  const make = useMakeBatch();
  const navigate = useNavigate();
  const landed = listing.landed_cost;
  const isOfSite = listing.origin === "site";
  const form = useZodForm({
    schema,
    defaultValues: {
      name: listing.title.slice(0, 200),
      source: isOfSite ? AS_THE_SITE : NONE,
      cost: landed !== null && currency === USD ? numberText(decimalText(Number(landed), 2)) : "",
    },
    onSubmit: async ({ name, source, cost }) => {
      const batch = await make.mutateAsync({
        listing_id: listing.id,
        name,
        cost_total: numberOrNull(cost),
        ...(source !== AS_THE_SITE && { source_id: source === NONE ? null : Number(source) }),
      });
      onClose();
      toast.success(`Batch ${batch.name} is there`, {
        action: {
          label: "Open it",
          run: async () => void (await navigate(`/app/batches?batch=${batch.id}`)),
        },
      });
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title="Won: make a batch"
      description="The listing is noted as won; its weight, picture and link go with it."
      submitLabel="Make batch"
      size="md"
    >
      <TextField form={form} name="name" label="Name" autoFocus />
      <SelectField
        form={form}
        name="source"
        label="Source"
        hint={sourceList.error ? <LoadProblem query={sourceList} what="Your sources" /> : undefined}
        options={[
          ...(isOfSite ? [{ value: AS_THE_SITE, label: "The auction site" }] : []),
          { value: NONE, label: "None" },
          ...sources.map((source) => ({ value: String(source.id), label: source.name })),
        ]}
      />
      <TextField
        form={form}
        name="cost"
        label={`What it cost, all in (${currency})`}
        numeric
        hint={costHint(landed, currency)}
      />
    </FormDialog>
  );
}

function costHint(landed: string | null, currency: string): string {
  if (landed === null) return "Shipping is unknown: enter what you paid, or leave it empty.";
  const told = `Landed: ${formatMoney(landed, USD)}`;
  return currency === USD ? `${told}.` : `${told}. Enter it in ${currency}.`;
}
