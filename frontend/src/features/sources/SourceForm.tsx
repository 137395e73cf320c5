import * as z from "zod/mini";
import { FormDialog } from "@/shared/form/FormDialog";
import { NameField, TextareaField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { saveRow } from "@/shared/table/saveRow";
import type { Source } from "./model";
import { useCreateSource, useDeleteSource, useEditSource } from "./mutations";

const schema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, "A source needs a name."),
      z.maxLength(200, "At most 200 characters."),
    ),
  notes: z.string().check(z.trim()),
});

/** Makes a source, or edits `source`. Mount it only while it is open. */
export function SourceForm(props: {
  source?: Source;
  /** Filled in for a new one. */
  name?: string;
  onClose: () => void;
  onSaved?: (source: Source) => void;
}) {
  const { source, name = "", onClose, onSaved } = props;
  const create = useCreateSource();
  const edit = useEditSource();
  const remove = useDeleteSource();
  const form = useZodForm({
    schema,
    defaultValues: { name: source?.name ?? name, notes: source?.notes ?? "" },
    onSubmit: async (values) => {
      const saved = await saveRow("sources", source, values, {
        edit,
        create,
        remove: ({ id }) => remove.mutateAsync(id),
      });
      onSaved?.(saved);
      onClose();
    },
  });

  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={source ? "Edit source" : "New source"}
      submitLabel={source ? "Save" : "Add source"}
      size="md"
    >
      <NameField form={form} placeholder="Where you buy: an auction site, a market, a friend" />
      <TextareaField
        form={form}
        name="notes"
        label="Notes"
        rows={5}
        hint="Who, how to reach them, what to look out for."
      />
    </FormDialog>
  );
}
