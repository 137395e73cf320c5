import { useState } from "react";
import { createRoot } from "react-dom/client";
import * as z from "zod/mini";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Asked, FactorAnswer } from "@/shared/api/signIn";
import { FormDialog } from "@/shared/form/FormDialog";
import { TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { problemText } from "@/shared/lib/problem";
import { noteProof } from "@/shared/lib/proof";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { codeHint } from "./factorWords";
import { answerWithPasskey, knowsPasskeys } from "./passkeys";

let open: Promise<boolean> | null = null;

/** Asks the person once more who he is, over whatever is open. Resolves with whether he showed it. */
export function askForProof(): Promise<boolean> {
  open ??= ask().finally(() => {
    open = null;
  });
  return open;
}

async function ask(): Promise<boolean> {
  const asked = one(await api.post("users/proof/ask", { retry: false }));
  return new Promise((resolve) => {
    // Of its own: who asks is no component, and any page may have to.
    const place = document.body.appendChild(document.createElement("div"));
    const root = createRoot(place);
    const end = (isProven: boolean) => {
      root.unmount();
      place.remove();
      resolve(isProven);
    };
    root.render(<ProofDialog asked={asked} onEnd={end} />);
  });
}

export function ProofDialog(props: { asked: Asked; onEnd: (isProven: boolean) => void }) {
  const { asked, onEnd } = props;
  const { ticket, methods } = asked;
  const [problem, setProblem] = useState<string | null>(null);
  const byPassword = methods.includes("password");
  const takesCodes = methods.some((method) => method === "code" || method === "recovery");
  const name = byPassword ? "password" : "code";
  const send = async (answer: FactorAnswer) => {
    noteProof(one(await api.post("users/proof", { body: answer, retry: false })).proof);
    onEnd(true);
  };
  const form = useZodForm({
    guarded: false,
    schema: z.object({
      [name]: z
        .string()
        .check(z.minLength(1, byPassword ? "Enter your password." : "Enter a code.")),
    }),
    defaultValues: { [name]: "" },
    onSubmit: (values) => send({ ticket, ...values }),
  });
  const usePasskey = async () => {
    setProblem(null);
    try {
      await send({ ticket, passkey: await answerWithPasskey(asked.passkey_options) });
    } catch (refused) {
      setProblem(problemText(refused));
    }
  };
  return (
    <FormDialog
      form={form}
      onClose={() => onEnd(false)}
      title="Is it you?"
      description="This is asked before acts that cannot be undone, then not again for five minutes."
      submitLabel="Continue"
    >
      {problem && <Notice tone="danger">{problem}</Notice>}
      {methods.includes("passkey") && knowsPasskeys() && (
        <Button onClick={usePasskey}>Use a passkey</Button>
      )}
      {(byPassword || takesCodes) && (
        <TextField
          form={form}
          name={name}
          label={byPassword ? "Your password" : "Code"}
          type={byPassword ? "password" : "text"}
          autoComplete={byPassword ? "current-password" : "one-time-code"}
          hint={byPassword ? undefined : codeHint(methods)}
          autoFocus
        />
      )}
    </FormDialog>
  );
}
