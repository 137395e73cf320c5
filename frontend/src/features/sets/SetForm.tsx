import * as z from "zod/mini";
import { LocationPicker, usePickedLocation } from "@/features/locations/public";
import { SourceField } from "@/features/sources/public";
import { FormDialog } from "@/shared/form/FormDialog";
import { SelectField, TextareaField, TextField } from "@/shared/form/fields";
import { fits } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { priceOf, wholeOf, whyNotPrice } from "@/shared/lib/amounts";
import { numberText } from "@/shared/lib/numbers";
import { keysOf } from "@/shared/lib/records";
import { conditionOptions } from "@/shared/ui/Lot";
import { stateNames, stateOptions, subConditionOptions, type UserSet } from "./model";
import { useEditSet } from "./mutations";
import { whyNotSetCount } from "./rules";

const schema = z.object({
  state: z.enum(keysOf(stateNames)),
  quantity: z.string().check(fits(whyNotSetCount)),
  condition: z.enum(["N", "U"]),
  subCondition: z.enum(["", "C", "I", "M"]),
  minifigs: z.enum(["whole", "parts"]),
  source: z.string(),
  paid: z.string().check(fits((text) => (text.trim() === "" ? null : whyNotPrice(text)))),
  acquired: z.string(),
  notes: z.string(),
});

const minifigOptions = [
  { value: "whole", label: "Whole" },
  { value: "parts", label: "By their parts" },
];

/** What a person says of a set. Mount it only while it is open. */
export function SetForm({ set, onClose }: { set: UserSet; onClose: () => void }) {
  const edit = useEditSet();
  const place = usePickedLocation(
    set.location_id === null ? null : { id: set.location_id, name: set.location_name ?? "" },
  );
  const form = useZodForm({
    schema,
    defaultValues: {
      state: set.state,
      quantity: String(set.quantity),
      condition: set.condition,
      subCondition: set.sub_condition,
      minifigs: set.minifigs_as,
      source: String(set.source_id ?? ""),
      paid: numberText(set.price_paid),
      acquired: set.acquired_on ?? "",
      notes: set.notes,
    },
    onSubmit: async (values) => {
      if (!place.isFit()) return;
      const changes: Partial<UserSet> = {
        state: values.state,
        quantity: wholeOf(values.quantity),
        condition: values.condition,
        sub_condition: values.subCondition,
        minifigs_as: values.minifigs,
        location_id: place.value?.id ?? null,
        source_id: values.source === "" ? null : Number(values.source),
        price_paid: values.paid.trim() === "" ? null : priceOf(values.paid),
        acquired_on: values.acquired === "" ? null : values.acquired,
        notes: values.notes,
      };
      const save = (row: UserSet, some: Partial<UserSet>) =>
        edit.mutateAsync({ row, changes: some });
      const saved = await save(set, changes);
      const { tellSaved } = await import("@/shared/table/editing/tellSaved");
      await tellSaved({ table: "userSets", before: set, saved, changes, name: set.number, save });
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`Edit ${set.number}`}
      description={set.name}
      submitLabel="Save"
      size="md"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField form={form} name="state" label="State" options={stateOptions} />
        <TextField form={form} name="quantity" label="How many" numeric required />
        <SelectField form={form} name="condition" label="Condition" options={conditionOptions} />
        <SelectField
          form={form}
          name="subCondition"
          label="How whole"
          options={subConditionOptions}
        />
        <SelectField
          form={form}
          name="minifigs"
          label="Minifigs count"
          hint="By their parts where the catalogue lists them."
          options={minifigOptions}
        />
        <LocationPicker label="Bin" {...place.field} />
        <SourceField form={form} name="source" />
        <TextField form={form} name="paid" label="Price paid" numeric hint="For all of them." />
        <TextField form={form} name="acquired" label="Acquired on" type="date" />
      </div>
      <TextareaField form={form} name="notes" label="Notes" rows={3} />
    </FormDialog>
  );
}
