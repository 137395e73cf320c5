import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, useRef } from "react";
import * as z from "zod/mini";
import { FormDialog } from "@/shared/form/FormDialog";
import { CheckboxField, NameField, TextareaField } from "@/shared/form/fields";
import { fits, fitsTogether } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { entriesOf } from "@/shared/lib/records";
import { saveRow } from "@/shared/table/saveRow";
import { Notice } from "@/shared/ui/states";
import { ContainerTypeField } from "./ContainerTypeField";
import { whyNotName } from "./columns";
import { LimitFields, limitShape } from "./LimitFields";
import type { Location } from "./model";
import { useCreateLocation, useDeleteLocation, useEditLocation } from "./mutations";
import { containerTypeQueries } from "./queries";
import {
  belowContent,
  type LimitTexts,
  limitsOf,
  mayTakeDefaults,
  noLimits,
  textsOf,
  whyNotRange,
} from "./rules";

const schema = z
  .object({
    name: z.string().check(z.trim(), fits(whyNotName)),
    description: z.string().check(z.trim()),
    type: z.string(),
    ...limitShape,
    is_full: z.boolean(),
    exclude_from_recommendations: z.boolean(),
  })
  .check(
    fitsTogether<LimitTexts>("min_item_weight", (values) =>
      whyNotRange(values.min_item_weight, values.max_item_weight),
    ),
  );

/** Makes a location, or edits `location`. Mount it only while it is open. */
export function LocationForm(props: {
  location?: Location;
  /** A new one begins with all of this one's settings but its name. */
  like?: Location;
  name?: string;
  onClose: () => void;
  onSaved?: (location: Location) => void;
}) {
  const { location, like, name = "", onClose, onSaved } = props;
  const from = location ?? like;
  const types = useQuery(containerTypeQueries.list());
  const create = useCreateLocation();
  const edit = useEditLocation();
  const remove = useDeleteLocation();
  const form = useZodForm({
    schema,
    defaultValues: {
      name: location?.name ?? name,
      description: from?.description ?? "",
      type: String(from?.inventory_container_type_id ?? ""),
      ...(from ? textsOf(from) : noLimits),
      is_full: location?.is_full ?? false,
      exclude_from_recommendations: from?.exclude_from_recommendations ?? false,
    },
    onSubmit: async ({ type, is_full, exclude_from_recommendations, ...texts }) => {
      const values = {
        name: texts.name,
        description: texts.description,
        inventory_container_type_id: type === "" ? null : Number(type),
        ...limitsOf(texts),
        is_full,
        exclude_from_recommendations,
      };
      const saved = await saveRow("locations", location, values, {
        edit,
        create,
        remove: ({ id }) => remove.mutateAsync(id),
      });
      onSaved?.(saved);
      onClose();
    },
  });

  const texts = form.watch();
  const warnings = location ? belowContent(texts, location) : [];
  const chosen = useRef(texts.type);
  const typeField = form.register("type");
  const chooseType = (event: ChangeEvent<HTMLSelectElement>) => {
    void typeField.onChange(event);
    const known = types.data ?? [];
    const before = known.find((type) => String(type.id) === chosen.current);
    const type = known.find((other) => String(other.id) === event.target.value);
    chosen.current = event.target.value;
    if (!type || !mayTakeDefaults(form.getValues(), before)) return;
    for (const [field, text] of entriesOf(textsOf(type))) {
      form.setValue(field, text, { shouldValidate: true });
    }
  };

  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={
        location
          ? `Edit ${location.name}`
          : like
            ? `New location like ${like.name}`
            : "New location"
      }
      submitLabel={location ? "Save" : "Add location"}
      size="md"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <NameField
          form={form}
          placeholder="A-01-01"
          hint="As written on the bin. Import and export keep it in Remarks."
        />
        <ContainerTypeField
          query={types}
          {...typeField}
          onChange={chooseType}
          first={[{ value: "", label: "None" }]}
        />
      </div>
      <TextareaField form={form} name="description" label="Description" rows={2} />
      <LimitFields form={form} {...(location && { of: { ids: [location.id] } })} />
      {warnings.length > 0 && (
        <Notice tone="warning" title="Less room than it holds now">
          {warnings.join(" ")} Nothing is taken out; nothing more goes in until there is room.
        </Notice>
      )}
      <div className="flex flex-col gap-2">
        <CheckboxField
          form={form}
          name="is_full"
          label="Marked full"
          hint="Nothing more can be added, whatever the limits are, and this cannot be overridden."
        />
        <CheckboxField
          form={form}
          name="exclude_from_recommendations"
          label="Exclude from recommendations"
          hint="You can put lots there, but it is never suggested."
        />
      </div>
    </FormDialog>
  );
}
