import { useState } from "react";
import * as z from "zod/mini";
import type { Asked } from "@/shared/api/signIn";
import { CheckboxField, TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { secondStep } from "./entry";
import { FormAlert } from "./FormAlert";
import { codeHint } from "./factorWords";
import { answerWithPasskey, knowsPasskeys } from "./passkeys";
import { useEntryError, useSession } from "./session";

const schema = z.object({
  code: z.string().check(z.minLength(1, "Enter a code.")),
  remember: z.boolean(),
});

/** The second step of a sign-in: a code, or a passkey. */
export function SecondStep({ asked, onBack }: { asked: Asked; onBack: () => void }) {
  const { loading } = useSession();
  const error = useEntryError("login");
  const [problem, setProblem] = useState<string | null>(null);
  const { ticket } = asked;
  const form = useZodForm({
    guarded: false,
    schema,
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
