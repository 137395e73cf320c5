import * as z from "zod/mini";
import { LocationPicker, usePickedLocation } from "@/features/locations/public";
import { FormDialog } from "@/shared/form/FormDialog";
import { SelectField, TextField } from "@/shared/form/fields";
import { fits } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { optionally, typedPrice, wholeOf, whyNotPrice } from "@/shared/lib/amounts";
import { formatCount } from "@/shared/lib/format";
import { numberText } from "@/shared/lib/numbers";
import { lotConditionOptions } from "@/shared/ui/Lot";
import { useSplitItem, useTellAct } from "../acts";
import type { InventoryItem } from "../model";
import { piecesIn, whyNotSplit } from "../rules";

/** Carries a part of a row into a new one with another price, condition, text or location. */
export function SplitDialog({ item, onClose }: { item: InventoryItem; onClose: () => void }) {
  const here =
    item.location_id === null ? null : { id: item.location_id, name: item.location_name ?? "" };
  const place = usePickedLocation(here);
  const split = useSplitItem();
  const tell = useTellAct();
  const form = useZodForm({
    schema: z.object({
      quantity: z.string().check(fits((text) => whyNotSplit(text, item))),
      price: z.string().check(fits(optionally(whyNotPrice))),
      condition: z.enum(["N", "U", "?"]),
      comments: z.string().check(z.trim()),
    }),
    defaultValues: {
      quantity: "",
      price: numberText(item.price),
      condition: item.condition,
      comments: item.comments,
    },
    onSubmit: async ({ quantity, price, condition, comments }) => {
      if (!place.isFit()) return;
      const to = place.value;
      const changes = {
        ...(typedPrice(price, item.price) !== item.price && {
          price: typedPrice(price, item.price),
        }),
        ...(condition !== item.condition && { condition }),
        ...(comments !== item.comments && { comments }),
        ...((to?.id ?? null) !== item.location_id && { location_id: to?.id ?? null }),
      };
      const done = await split.mutateAsync({ item, quantity: wholeOf(quantity), changes });
      tell(`${piecesIn(wholeOf(quantity))} split off`, done.act_id);
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`Split ${item.part_name || item.item_number}`}
      description={`${formatCount(item.quantity)} in ${item.location_name ?? "no bin"}. The part becomes a separate row.`}
      submitLabel="Split"
      size="sm"
    >
      <div className="grid grid-cols-3 gap-3">
        <TextField form={form} name="quantity" label="How many" numeric autoFocus required />
        <TextField form={form} name="price" label="Price" numeric />
        <SelectField form={form} name="condition" label="Condition" options={lotConditionOptions} />
      </div>
      <TextField form={form} name="comments" label="Comments" hint="What buyers read." />
      <LocationPicker label="Bin" {...place.field} canCreate />
    </FormDialog>
  );
}
