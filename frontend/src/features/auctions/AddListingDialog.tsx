import { useState } from "react";
import * as z from "zod/mini";
import { FormDialog } from "@/shared/form/FormDialog";
import { TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { toast } from "@/shared/ui/toast";
import { useAddByLink, useEnterListing } from "./mutations";

type Way = "link" | "typed";

/** Adds a listing by its link, or typed in where the site is not asked. */
export function AddListingDialog(props: { canAsk: boolean; onClose: () => void }) {
  const [way, setWay] = useState<Way>(props.canAsk ? "link" : "typed");
  const choice = props.canAsk && (
    <SegmentedControl<Way>
      label="How"
      value={way}
      onChange={setWay}
      options={[
        { value: "link", label: "By its link" },
        { value: "typed", label: "Type it in" },
      ]}
    />
  );
  return way === "link" ? (
    <ByLink onClose={props.onClose}>{choice}</ByLink>
  ) : (
    <Typed onClose={props.onClose}>{choice}</Typed>
  );
}

type PartProps = { onClose: () => void; children: React.ReactNode };

const linkSchema = z.object({
  link: z.string().check(z.trim(), z.minLength(1, "Paste the link of a listing, or its number.")),
});

function ByLink({ onClose, children }: PartProps) {
  const add = useAddByLink();
  const form = useZodForm({
    schema: linkSchema,
    defaultValues: { link: "" },
    onSubmit: async ({ link }) => {
      const made = await add.mutateAsync(link);
      toast.success(`${made.title} added`);
      onClose();
    },
  });
  return (
    <FormDialog form={form} open onClose={onClose} title="Add a listing" submitLabel="Add listing">
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
  .check(z.trim(), z.regex(/^(\d{1,8}([.,]\d{1,2})?)?$/, "Dollars such as 24.50, or empty."));
const typedSchema = z.object({
  title: z.string().check(z.trim(), z.minLength(1, "A listing needs a title."), z.maxLength(300)),
  current_price: z
    .string()
    .check(z.trim(), z.regex(/^\d{1,8}([.,]\d{1,2})?$/, "Dollars such as 24.50.")),
  shipping_cost: dollars,
  handling_cost: dollars,
  ends: z.string(),
  listing_url: z.string().check(z.trim()),
});

const orNull = (text: string) => (text === "" ? null : text.replace(",", "."));

function Typed({ onClose, children }: PartProps) {
  const enter = useEnterListing();
  const form = useZodForm({
    schema: typedSchema,
    defaultValues: {
      title: "",
      current_price: "",
      shipping_cost: "",
      handling_cost: "",
      ends: "",
      listing_url: "",
    },
    onSubmit: async (values) => {
      const made = await enter.mutateAsync({
        title: values.title,
        current_price: values.current_price.replace(",", "."),
        shipping_cost: orNull(values.shipping_cost),
        handling_cost: orNull(values.handling_cost),
        end_time: values.ends === "" ? null : new Date(values.ends).toISOString(),
        listing_url: values.listing_url,
      });
      toast.success(`${made.title} added`);
      onClose();
    },
  });
  return (
    <FormDialog form={form} open onClose={onClose} title="Add a listing" submitLabel="Add listing">
      {children}
      <TextField
        form={form}
        name="title"
        label="Title"
        required
        autoFocus
        hint="A weight in it, such as 12 lbs, is found."
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
