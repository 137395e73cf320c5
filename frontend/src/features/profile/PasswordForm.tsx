import * as z from "zod/mini";
import { NewPasswordField, newPasswordRule, useUser, useWeakness } from "@/features/auth/public";
import { TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { Button } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useChangePassword } from "./mutations";

const schema = z.object({
  current_password: z.string().check(z.minLength(1, "Enter your present password.")),
  new_password: newPasswordRule,
});

export function PasswordForm() {
  const change = useChangePassword();
  const user = useUser();
  const judge = useWeakness<z.infer<typeof schema>>("new_password", () => ({
    email_address: user?.email_address ?? "",
    name: user?.name ?? "",
  }));
  const form = useZodForm({
    guarded: false,
    schema,
    judge,
    defaultValues: { current_password: "", new_password: "" },
    onSubmit: async (passwords) => {
      await change.mutateAsync(passwords);
      form.reset();
      toast.success("Password changed. Other sessions have ended.");
    },
  });
  return (
    <Card title="Password" description="Changing it signs out every other device.">
      <form noValidate onSubmit={form.submit} className="flex flex-col gap-4">
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            form={form}
            name="current_password"
            label="Present password"
            type="password"
            autoComplete="current-password"
            required
          />
          <NewPasswordField form={form} name="new_password" label="New password" />
        </div>
        <div>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}
