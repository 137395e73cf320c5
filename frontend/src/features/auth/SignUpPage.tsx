import { useState } from "react";
import { Link, useLocation } from "react-router-dom";
import * as z from "zod/mini";
import { CheckboxField, TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { paths } from "@/shared/lib/paths";
import { problemFields } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { AuthCard, authLinkClass } from "./AuthCard";
import { register } from "./entry";
import { FormAlert } from "./FormAlert";
import { NewPasswordField } from "./NewPasswordField";
import { emailRule, newPasswordRule } from "./rules";
import { useEntryError, useSession } from "./session";
import { useWeakness } from "./weakness";

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Enter your name."), z.maxLength(150)),
  email_address: emailRule,
  password: newPasswordRule,
  privacy: z.boolean().check(z.refine(Boolean, "Please accept the privacy policy.")),
});

export function SignUpPage() {
  const { loading } = useSession();
  const error = useEntryError("register");
  const { state } = useLocation();
  // A refusal with fields is shown beside the fields; the alert is for the others.
  const [byField, setByField] = useState(false);
  const judge = useWeakness<z.infer<typeof schema>>("password", ({ email_address, name }) => ({
    email_address: email_address.trim(),
    name: name.trim(),
  }));
  const form = useZodForm({
    guarded: false,
    schema,
    judge,
    defaultValues: { name: "", email_address: "", password: "", privacy: false },
    onSubmit: async ({ privacy: _consent, ...registration }) => {
      setByField(false);
      await register(registration).catch((refusal) => {
        if (Object.keys(problemFields(refusal)).length === 0) return;
        setByField(true);
        throw refusal;
      });
    },
  });

  return (
    <AuthCard
      title="Create your account"
      lead="Free, and your stock stays yours."
      foot={
        <>
          Already have one?{" "}
          <Link to={paths.signIn} state={state} className={authLinkClass}>
            Sign in
          </Link>
        </>
      }
    >
      <form noValidate onSubmit={form.submit} className="flex flex-col gap-4">
        {error && !loading && !byField && <FormAlert message={error} />}
        <TextField form={form} name="name" label="Name" autoComplete="name" required autoFocus />
        <TextField
          form={form}
          name="email_address"
          label="E-mail address"
          type="email"
          autoComplete="email"
          required
        />
        <NewPasswordField form={form} name="password" label="Password" />
        <CheckboxField
          form={form}
          name="privacy"
          label={
            <>
              I accept the{" "}
              <Link to={paths.privacy} target="_blank" className={authLinkClass}>
                privacy policy
              </Link>
            </>
          }
        />
        <Button type="submit" variant="primary" loading={loading} className="w-full">
          Create account
        </Button>
      </form>
    </AuthCard>
  );
}
