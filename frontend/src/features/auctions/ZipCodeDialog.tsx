import * as z from "zod/mini";
import { useSaveProfile } from "@/features/profile/public";
import { FormDialog } from "@/shared/form/FormDialog";
import { TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";

const schema = z.object({
  zip_code: z.string().check(z.trim(), z.minLength(1, "Enter your ZIP code.")),
});

/** Asked where shipping is wanted and the profile says not where to. Kept in the profile. */
export function ZipCodeDialog(props: { onSaved: () => void; onClose: () => void }) {
  const save = useSaveProfile();
  const form = useZodForm({
    schema,
    defaultValues: { zip_code: "" },
    onSubmit: async (values) => {
      await save.mutateAsync(values);
      props.onClose();
      props.onSaved();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={props.onClose}
      title="Shipping to where?"
      description="Shipping is calculated to this ZIP code. It is saved in your profile."
      submitLabel="Calculate shipping"
    >
      <TextField
        form={form}
        name="zip_code"
        label="ZIP code"
        autoComplete="postal-code"
        required
        autoFocus
      />
    </FormDialog>
  );
}
