import { Link, useLocation, useSearchParams } from "react-router-dom";
import * as z from "zod/mini";
import { TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { AuthCard, authLinkClass } from "./AuthCard";
import { ConfirmAddress } from "./ConfirmAddress";
import { FormAlert } from "./FormAlert";
import { ResetPassword } from "./ResetPassword";
import { emailRule } from "./rules";
import { login, useEntryError, useSession } from "./session";

const schema = z.object({
  email_address: emailRule,
  password: z.string().check(z.minLength(1, "Enter your password.")),
});

/** Sign-in; with ?confirm the link of a mail that confirms an address; with ?reset a forgotten password (empty: ask for the mail, else the mail's token). */
export function SignInPage() {
  const [address] = useSearchParams();
  const confirm = address.get("confirm");
  const token = address.get("reset");
  if (confirm) return <ConfirmAddress token={confirm} />;
  return token === null ? <SignIn /> : <ResetPassword token={token} />;
}

function SignIn() {
  const { loading } = useSession();
  const error = useEntryError("login");
  const { state } = useLocation();
  const form = useZodForm({
    guarded: false,
    schema,
    defaultValues: { email_address: "", password: "" },
    // What it fails with is in the session, and shown from there.
    onSubmit: (values) => login(values).catch(() => undefined),
  });

  return (
    <AuthCard
      title="Sign in"
      lead="Good to have you back."
      foot={
        <>
          New here?{" "}
          <Link to="/signup" state={state} className={authLinkClass}>
            Create an account
          </Link>
        </>
      }
    >
      <form noValidate onSubmit={form.submit} className="flex flex-col gap-4">
        {(state as { ended?: boolean } | null)?.ended && (
          <Notice tone="info" title="Your session has ended.">
            It was ended on another device, the password was changed, or it was not used for two
            weeks. Sign in again to go on where you were; what you typed is kept.
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
        <Link to="/signin?reset" state={state} className={`${authLinkClass} text-center text-sm`}>
          Forgot your password?
        </Link>
      </form>
    </AuthCard>
  );
}
