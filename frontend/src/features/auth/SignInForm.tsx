import { type ReactNode, useState } from "react";
import * as z from "zod/mini";
import { TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { type Asked, login } from "./entry";
import { FormAlert } from "./FormAlert";
import { emailRule } from "./rules";
import { SecondStep } from "./SecondStep";
import { useEntryError, useSession } from "./session";

const schema = z.object({
  email_address: emailRule,
  password: z.string().check(z.minLength(1, "Enter your password.")),
});

/** E-mail address and password; `foot` is the way to a forgotten one. */
export function SignInForm(props: {
  /** Said where a session has ended by itself: what becomes of the page. */
  ended?: string | undefined;
  foot: ReactNode;
}) {
  const { loading } = useSession();
  const error = useEntryError("login");
  const [asked, setAsked] = useState<Asked | null>(null);
  const form = useZodForm({
    guarded: false,
    schema,
    defaultValues: { email_address: "", password: "" },
    // What it fails with is in the session, and shown from there.
    onSubmit: (values) => login(values).then(setAsked, () => undefined),
  });
  if (asked) return <SecondStep asked={asked} onBack={() => setAsked(null)} />;
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-col gap-4">
      {props.ended && (
        <Notice tone="info" title="Your session has ended.">
          It was ended on another device, the password was changed, or it was not used for two
          weeks. {props.ended}
        </Notice>
      )}
      {error && !loading && <FormAlert message={error} />}
      <TextField
        form={form}
        name="email_address"
        label="E-mail address"
        type="email"
        autoComplete="username"
        autoFocus
      />
      <TextField
        form={form}
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
      />
      <Button type="submit" variant="primary" loading={loading} className="w-full">
        Sign in
      </Button>
      {props.foot}
    </form>
  );
}
