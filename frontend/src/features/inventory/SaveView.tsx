import * as z from "zod/mini";
import { FormDialog } from "@/shared/form/FormDialog";
import { TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import type { OwnView } from "./ownViews";

const schema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, "A view needs a name."),
      z.maxLength(40, "At most 40 characters."),
    ),
});

/** Asks under which name what is shown is saved. Mount it only while it is open. */
export function SaveView(props: {
  query: string;
  onSave: (view: OwnView) => Promise<void>;
  onClose: () => void;
}) {
  const form = useZodForm({
    schema,
    defaultValues: { name: "" },
    onSubmit: async ({ name }) => {
      await props.onSave({ name, query: props.query });
      props.onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={props.onClose}
      title="Save view"
      description="Keeps the filters, the search and the order of this list with your account. A view of the same name is replaced."
      submitLabel="Save view"
    >
      <TextField form={form} name="name" label="Name" autoFocus required />
    </FormDialog>
  );
}
