import * as z from "zod/mini";
import type { User } from "@/features/auth/public";
import { TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { Button } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { Field, Input } from "@/shared/ui/Field";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useSaveProfile } from "./mutations";

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Enter your name."), z.maxLength(150)),
});

/** Who you are to the product. The e-mail address is what you sign in with. */
export function NameForm({ user }: { user: User }) {
  const save = useSaveProfile();
  const form = useZodForm({
    schema,
    defaultValues: { name: user.name },
    onSubmit: async ({ name }) => {
      await save.mutateAsync({ name, updatedAt: user.updatedAt });
      toast.success("Profile saved");
    },
  });
  return (
    <Card title="You">
      <form noValidate onSubmit={form.submit} className="flex flex-col gap-4">
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField form={form} name="name" label="Name" autoComplete="name" required />
          <Field label="E-mail address" hint="This is what you sign in with.">
            <Input value={user.email_address} readOnly />
          </Field>
        </div>
        <div>
          <Button
            type="submit"
            variant="primary"
            loading={save.isPending}
            disabledReason={!form.formState.isDirty && "Nothing has changed"}
          >
            Save
          </Button>
        </div>
      </form>
    </Card>
  );
}
