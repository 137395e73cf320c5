import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import * as z from "zod/mini";
import { useDeleteBatch } from "@/features/batches/public";
import { profileQueries } from "@/features/profile/public";
import { SourceField } from "@/features/sources/public";
import { FormDialog } from "@/shared/form/FormDialog";
import { TextField } from "@/shared/form/fields";
import { fits } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { decimalOf, numberOrNull, optionally } from "@/shared/lib/amounts";
import { formatMoney } from "@/shared/lib/format";
import { decimalText, numberText } from "@/shared/lib/numbers";
import { pathTo } from "@/shared/lib/paths";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { ErrorState, Loading } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import type { Listing } from "./model";
import { useDecide, useMakeBatch } from "./mutations";
import { LISTINGS } from "./queries";

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
    <Dialog onClose={props.onClose} title="Create a batch" size="sm">
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading />}
    </Dialog>
  );
}

function WonForm(props: { listing: Listing; currency: string; onClose: () => void }) {
  const { listing, currency, onClose } = props;
  const make = useMakeBatch();
  const drop = useDeleteBatch();
  const decide = useDecide();
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
      const { batch, isNew } = await make.mutateAsync({
        listing_id: listing.id,
        name,
        cost_total: numberOrNull(cost),
        ...(source !== AS_THE_SITE && { source_id: source === NONE ? null : Number(source) }),
      });
      onClose();
      const words = `Batch ${batch.name} is there`;
      const open = () => void navigate(pathTo("batches", { batch: batch.id }));
      if (!isNew) {
        toast.success(words, { action: { label: "Open it", run: open } });
        return;
      }
      const { tellMade } = await import("@/shared/table/editing/tellMade");
      await tellMade({
        table: LISTINGS,
        words,
        toast: {
          detail: (
            <Button size="sm" variant="ghost" onClick={open}>
              Open it
            </Button>
          ),
        },
        remove: async () => {
          await drop.mutateAsync({ id: batch.id, typedName: "" });
          await decide.mutateAsync({ listing, decisions: { outcome: listing.outcome } });
        },
      });
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Won: create a batch"
      description="Marks the listing as won. The batch gets its weight, picture and link."
      submitLabel="Make batch"
      size="md"
    >
      <TextField form={form} name="name" label="Name" autoFocus />
      <SourceField
        form={form}
        name="source"
        first={[
          ...(isOfSite ? [{ value: AS_THE_SITE, label: "The auction site" }] : []),
          { value: NONE, label: "None" },
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
