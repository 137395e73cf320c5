import * as z from "zod/mini";
import { FormDialog } from "@/shared/form/FormDialog";
import { SelectField, TextareaField, TextField } from "@/shared/form/fields";
import { fits } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { optionally, typedPrice, wholeOf, whyNotPrice, whyNotQuantity } from "@/shared/lib/amounts";
import { numberText } from "@/shared/lib/numbers";
import { partOf } from "@/shared/lib/records";
import { type LotCondition, lotConditionOptions } from "@/shared/ui/Lot";

export type LotValues = {
  quantity: number;
  price: string | null;
  condition: LotCondition;
  remarks: string;
  comments: string;
};

const schema = z.object({
  quantity: z.string().check(fits(whyNotQuantity)),
  price: z.string().check(fits(optionally(whyNotPrice))),
  condition: z.enum(["N", "U", "?"]),
  remarks: z.string().check(z.trim()),
  comments: z.string().check(z.trim()),
});

/** What can be changed of a lot, in a dialog: for phones, where cells are not edited in place. */
export function LotForm(props: {
  title: string;
  lot: LotValues;
  /** What is typed first. */
  first?: "quantity" | "price" | undefined;
  /** Only what differs is given; what it throws is shown in the form. */
  onSave: (changes: Partial<LotValues>) => Promise<unknown>;
  onClose: () => void;
}) {
  const { title, lot, first = "quantity", onSave, onClose } = props;
  const form = useZodForm({
    schema,
    defaultValues: {
      quantity: numberText(lot.quantity),
      price: numberText(lot.price),
      condition: lot.condition,
      remarks: lot.remarks,
      comments: lot.comments,
    },
    onSubmit: async ({ quantity, price, ...rest }) => {
      const changes = differing(lot, {
        ...rest,
        quantity: wholeOf(quantity),
        price: typedPrice(price, lot.price),
      });
      if (Object.keys(changes).length > 0) await onSave(changes);
      onClose();
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={title} submitLabel="Save" size="sm">
      <div className="grid grid-cols-3 gap-3">
        <TextField
          form={form}
          name="quantity"
          label="Quantity"
          numeric
          autoFocus={first === "quantity"}
        />
        <TextField
          form={form}
          name="price"
          label="Price"
          numeric
          hint="Empty: no price."
          autoFocus={first === "price"}
        />
        <SelectField form={form} name="condition" label="Condition" options={lotConditionOptions} />
      </div>
      <TextField
        form={form}
        name="remarks"
        label="Remarks"
        hint="Private; sellers keep the bin here."
      />
      <TextareaField
        form={form}
        name="comments"
        label="Comments"
        hint="What buyers read."
        rows={2}
      />
    </FormDialog>
  );
}

/** The values of `after` that are not those of `before`. */
export function differing<Values extends object>(before: Values, after: Values): Partial<Values> {
  return partOf(after, (name) => before[name] !== after[name]);
}
