import * as z from "zod/mini";
import { FormDialog } from "@/shared/form/FormDialog";
import { TextField } from "@/shared/form/fields";
import { fits } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { decimalOf, numberOf, numberOrNull, optionally } from "@/shared/lib/amounts";
import { numberText } from "@/shared/lib/numbers";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { toast } from "@/shared/ui/toast";
import { useControl } from "@/shared/ui/useControl";
import type { Listing } from "./model";
import { type TypedValues, useAddByLink, useDeleteListing, useEnterListing } from "./mutations";
import { LISTINGS } from "./queries";

type Way = "link" | "typed";

/** Adds a listing by its link, or typed in where the site is not asked; changes a typed one. */
export function AddListingDialog(props: {
  /** One that was typed before; without it a new one. */
  listing?: Listing;
  canAsk: boolean;
  onClose: () => void;
}) {
  const { listing } = props;
  const way = useControl<Way>(props.canAsk && !listing ? "link" : "typed");
  const choice = props.canAsk && !listing && (
    <SegmentedControl<Way>
      label="How"
      {...way}
      options={{ link: "By its link", typed: "Type it in" }}
    />
  );
  return way.value === "link" ? (
    <ByLink onClose={props.onClose}>{choice}</ByLink>
  ) : (
    <Typed {...(listing && { listing })} onClose={props.onClose}>
      {choice}
    </Typed>
  );
}

type PartProps = { onClose: () => void; children: React.ReactNode };

const linkSchema = z.object({
  link: z.string().check(z.trim(), z.minLength(1, "Paste the link of a listing, or its number.")),
});

function ByLink({ onClose, children }: PartProps) {
  const add = useAddByLink();
  const remove = useDeleteListing();
  const form = useZodForm({
    schema: linkSchema,
    defaultValues: { link: "" },
    onSubmit: async ({ link }) => {
      const { listing, isNew } = await add.mutateAsync(link);
      if (isNew) await tellNew(listing, () => remove.mutateAsync(listing.id));
      else toast.success(`${listing.title} is in the list already and now up to date`);
      onClose();
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title="Add a listing" submitLabel="Add listing">
      {children}
      <TextField
        form={form}
        name="link"
        label="Link or number"
        required
        autoFocus
        placeholder="https://shopgoodwill.com/item/123456789"
      />
    </FormDialog>
  );
}

const dollars = z
  .string()
  .check(z.trim(), fits(optionally(decimalOf(8, 2, "Dollars such as 24.50, or empty."))));
const typedSchema = z.object({
  title: z.string().check(z.trim(), z.minLength(1, "A listing needs a title."), z.maxLength(300)),
  current_price: z.string().check(z.trim(), fits(decimalOf(8, 2, "Dollars such as 24.50."))),
  shipping_cost: dollars,
  handling_cost: dollars,
  ends: z.string(),
  listing_url: z.string().check(z.trim()),
});

/** It is not seen where only running ones are listed. */
const overHint = ({ status }: Listing) =>
  status === "ended" ? { detail: "The auction has ended. Tick “Ended too” to see it." } : {};

async function tellNew(made: Listing, remove: () => Promise<unknown>): Promise<void> {
  const { tellMade } = await import("@/shared/table/editing/tellMade");
  const words = `${made.title} added`;
  await tellMade({ table: LISTINGS, words, toast: overHint(made), remove });
}

async function tellEdited(
  before: Listing,
  saved: Listing,
  save: (values: TypedValues) => Promise<unknown>,
): Promise<void> {
  const { tellAct } = await import("@/shared/table/editing/tellAct");
  await tellAct({
    table: LISTINGS,
    type: "cell-edit",
    label: `Change ${saved.title}`,
    words: `${saved.title} saved`,
    toast: overHint(saved),
    takeBack: async () => {
      await save({
        title: before.title,
        current_price: before.current_price,
        shipping_cost: before.shipping_rates[0]?.cost ?? null,
        handling_cost: before.handling_cost,
        end_time: before.end_time,
        listing_url: before.listing_url,
      });
      return `${before.title} restored`;
    },
  });
}

/** An instant as a `datetime-local` field holds it: the wall clock here. */
function localTime(instant: string | null): string {
  if (instant === null) return "";
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function Typed({ listing, onClose, children }: PartProps & { listing?: Listing }) {
  const enter = useEnterListing(listing);
  const remove = useDeleteListing();
  const ends = localTime(listing?.end_time ?? null);
  const form = useZodForm({
    schema: typedSchema,
    defaultValues: {
      title: listing?.title ?? "",
      current_price: numberText(listing?.current_price),
      shipping_cost: numberText(listing?.shipping_rates[0]?.cost),
      handling_cost: numberText(listing?.handling_cost),
      ends,
      listing_url: listing?.listing_url ?? "",
    },
    onSubmit: async (values) => {
      const made = await enter.mutateAsync({
        title: values.title,
        current_price: numberOf(values.current_price),
        shipping_cost: numberOrNull(values.shipping_cost),
        handling_cost: numberOrNull(values.handling_cost),
        // Untouched, it keeps its seconds.
        ...((!listing || values.ends !== ends) && {
          end_time: values.ends === "" ? null : new Date(values.ends).toISOString(),
        }),
        listing_url: values.listing_url,
      });
      await (listing
        ? tellEdited(listing, made, (values) => enter.mutateAsync(values))
        : tellNew(made, () => remove.mutateAsync(made.id)));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={listing ? "Edit the listing" : "Add a listing"}
      submitLabel={listing ? "Save" : "Add listing"}
    >
      {children}
      <TextField
        form={form}
        name="title"
        label="Title"
        required
        autoFocus
        hint="A weight in the title, such as 12 lbs, is recognised."
      />
      <TextField form={form} name="current_price" label="Price now" required numeric />
      <TextField
        form={form}
        name="shipping_cost"
        label="Shipping"
        numeric
        hint="Empty is unknown; 0 is free."
      />
      <TextField form={form} name="handling_cost" label="Handling" numeric />
      <TextField form={form} name="ends" label="Ends" type="datetime-local" />
      <TextField form={form} name="listing_url" label="Link" placeholder="https://" />
    </FormDialog>
  );
}
