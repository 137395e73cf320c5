import { type ReactNode, useState } from "react";
import * as z from "zod/mini";
import { CheckboxField, TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { type Asked, login, secondStep } from "./entry";
import { FormAlert } from "./FormAlert";
import { codeHint } from "./factorWords";
import { answerWithPasskey, knowsPasskeys } from "./passkeys";
import { emailRule } from "./rules";
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

const codeSchema = z.object({
  code: z.string().check(z.minLength(1, "Enter a code.")),
  remember: z.boolean(),
});

/** The second step of a sign-in: a code, or a passkey. */
function SecondStep({ asked, onBack }: { asked: Asked; onBack: () => void }) {
  const { loading } = useSession();
  const error = useEntryError("login");
  const [problem, setProblem] = useState<string | null>(null);
  const { ticket } = asked;
  const form = useZodForm({
    guarded: false,
    schema: codeSchema,
    defaultValues: { code: "", remember: false },
    // What it fails with is in the session, and shown from there.
    onSubmit: ({ code, remember }) => secondStep({ ticket, code, remember }).catch(() => undefined),
  });
  const usePasskey = async () => {
    setProblem(null);
    try {
      const passkey = await answerWithPasskey(asked.passkey_options);
      const remember = form.getValues("remember");
      await secondStep({ ticket, passkey, remember }).catch(() => undefined);
    } catch (refused) {
      setProblem(problemText(refused));
    }
  };
  const told = problem ?? error;
  const takesCodes = asked.methods.some((method) => method === "code" || method === "recovery");
  const hasPasskey = asked.methods.includes("passkey") && knowsPasskeys();
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-col gap-4">
      {told && !loading && <FormAlert message={told} />}
      {hasPasskey && (
        <Button variant="primary" loading={loading} onClick={usePasskey} className="w-full">
          Use a passkey
        </Button>
      )}
      {takesCodes && (
        <TextField
          form={form}
          name="code"
          label="Code"
          hint={codeHint(asked.methods)}
          autoComplete="one-time-code"
          autoFocus
        />
      )}
      <CheckboxField
        form={form}
        name="remember"
        label="Do not ask on this device for 30 days"
        hint="Not on a device that others use."
      />
      {takesCodes && (
        <Button
          type="submit"
          variant={hasPasskey ? "secondary" : "primary"}
          loading={loading}
          className="w-full"
        >
          Sign in
        </Button>
      )}
      <Button variant="ghost" onClick={onBack}>
        Back
      </Button>
    </form>
  );
}
