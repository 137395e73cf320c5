import * as z from "zod/mini";
import { FormDialog } from "@/shared/form/FormDialog";
import { SelectField, TextareaField, TextField } from "@/shared/form/fields";
import { fits } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { decimalOf, numberOrNull, optionally } from "@/shared/lib/amounts";
import { formatMoney } from "@/shared/lib/format";
import { decimalText, numberText } from "@/shared/lib/numbers";
import type { Listing, ListingDecisions, Worth } from "./model";
import { useDecide } from "./mutations";
import { LISTINGS } from "./queries";

const amount = z
  .string()
  .check(z.trim(), fits(optionally(decimalOf(8, 2, "Dollars such as 24.50, or empty."))));
const schema = z.object({
  my_bid: amount,
  max_bid: amount,
  pounds: z
    .string()
    .check(z.trim(), fits(optionally(decimalOf(3, 2, "Pounds such as 12.5, or empty.")))),
  outcome: z.enum(["", "won", "lost"]),
  note: z.string().check(z.trim(), z.maxLength(1000, "At most 1,000 characters.")),
});

const GRAMS_PER_POUND = 453.59237;

/** What the person decides about a listing. Bids are placed at the site; this only remembers. */
export function DecisionDialog(props: {
  listing: Listing;
  worth?: Worth | undefined;
  onClose: () => void;
}) {
  const { listing, worth, onClose } = props;
  const decide = useDecide();
  const grams = listing.weight_grams;
  const pounds =
    grams === null ? "" : numberText(Math.round((Number(grams) / GRAMS_PER_POUND) * 100) / 100);
  const form = useZodForm({
    schema,
    defaultValues: {
      my_bid: numberText(listing.my_bid),
      max_bid: numberText(listing.max_bid),
      pounds,
      outcome: listing.outcome,
      note: listing.note,
    },
    onSubmit: async (values) => {
      const weight = numberOrNull(values.pounds);
      const decisions: ListingDecisions = {
        my_bid: numberOrNull(values.my_bid),
        max_bid: numberOrNull(values.max_bid),
        outcome: values.outcome,
        note: values.note,
        ...(values.pounds !== pounds && {
          weight_grams: weight === null ? null : decimalText(Number(weight) * GRAMS_PER_POUND, 2),
        }),
      };
      const saved = await decide.mutateAsync({ listing, decisions });
      const { tellSaved } = await import("@/shared/table/editing/tellSaved");
      await tellSaved<ListingDecisions & { id: number }>({
        table: LISTINGS,
        before: listing,
        saved,
        changes: decisions,
        name: listing.title,
        save: (_, some) => decide.mutateAsync({ listing, decisions: some }),
      });
      onClose();
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title="My bid and note" submitLabel="Save" size="md">
      <p className="text-muted text-sm">
        {listing.title}. Brickstow places no bids: bid at the site, then note it here.
      </p>
      <TextField
        form={form}
        name="my_bid"
        label="My bid at the site"
        numeric
        autoFocus
        hint="The highest that I bid there, in dollars."
      />
      <TextField
        form={form}
        name="max_bid"
        label="Never bid above"
        numeric
        hint={
          worth && worth.highest_bid !== null
            ? `Sensible up to ${formatMoney(worth.highest_bid, "USD")}. ${worth.reason}`
            : (worth?.reason ?? "What it is worth to me, in dollars.")
        }
      />
      <TextField
        form={form}
        name="pounds"
        label="Weight in pounds"
        numeric
        hint="As stated or guessed; the cost per kilogram follows from it."
      />
      <SelectField
        form={form}
        name="outcome"
        label="How it ended"
        options={[
          { value: "", label: "Still open" },
          { value: "won", label: "I won it" },
          { value: "lost", label: "I lost it" },
        ]}
      />
      <TextareaField form={form} name="note" label="Note" rows={3} />
    </FormDialog>
  );
}
