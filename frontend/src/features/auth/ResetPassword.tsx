import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import * as z from "zod/mini";
import { api } from "@/shared/api/client";
import { TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { paths } from "@/shared/lib/paths";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { AuthCard, authLinkClass } from "./AuthCard";
import { FormAlert } from "./FormAlert";
import { NewPasswordField } from "./NewPasswordField";
import { emailRule, newPasswordRule } from "./rules";
import { useWeakness } from "./weakness";

const back = (
  <Link to={paths.signIn} className={authLinkClass}>
    Back to sign in
  </Link>
);

/** A forgotten password: without a token the mail is asked for, with one the new one is set. */
export function ResetPassword({ token }: { token: string }) {
  return token ? <SetNew token={token} /> : <AskForMail />;
}

const askSchema = z.object({ email_address: emailRule });

function AskForMail() {
  const [answer, setAnswer] = useState<string | null>(null);
  const form = useZodForm({
    guarded: false,
    schema: askSchema,
    defaultValues: { email_address: "" },
    onSubmit: async (values) => {
      const { message } = await api.post("users/forgot-password", { body: values });
      setAnswer(message ?? "If an account has this address, a link was sent to it.");
    },
  });
  return (
    <AuthCard
      title="Forgot your password?"
      lead="We send a link to your e-mail address. It works for one hour."
      foot={back}
    >
      {answer ? (
        <Notice tone="success">{answer}</Notice>
      ) : (
        <form noValidate onSubmit={form.submit} className="flex flex-col gap-4">
          {form.problem && <FormAlert message={form.problem} />}
          <TextField
            form={form}
            name="email_address"
            label="E-mail address"
            type="email"
            autoComplete="username"
            autoFocus
          />
          <Button type="submit" variant="primary" loading={form.formState.isSubmitting}>
            Send the link
          </Button>
        </form>
      )}
    </AuthCard>
  );
}

const setSchema = z.object({ new_password: newPasswordRule });

function SetNew({ token }: { token: string }) {
  const navigate = useNavigate();
  const judge = useWeakness<z.infer<typeof setSchema>>("new_password", () => ({ token }));
  const form = useZodForm({
    guarded: false,
    schema: setSchema,
    judge,
    defaultValues: { new_password: "" },
    onSubmit: async (values) => {
      const { message } = await api.post("users/reset-password", { body: { token, ...values } });
      toast.success(message ?? "Your password is changed. Please sign in with it.");
      navigate(paths.signIn, { replace: true });
    },
  });
  return (
    <AuthCard title="Choose a new password" lead="All other sessions end with it." foot={back}>
      <form noValidate onSubmit={form.submit} className="flex flex-col gap-4">
        {form.problem && <FormAlert message={form.problem} />}
        <NewPasswordField form={form} name="new_password" label="New password" />
        <Button type="submit" variant="primary" loading={form.formState.isSubmitting}>
          Set the password
        </Button>
      </form>
    </AuthCard>
  );
}
