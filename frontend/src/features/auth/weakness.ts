import { useState } from "react";
import type { FieldValues, Path } from "react-hook-form";
import { api } from "@/shared/api/client";
import type { Judge } from "@/shared/form/useZodForm";
import { log } from "@/shared/lib/log";
import { problemText } from "@/shared/lib/problem";

/** How long sending waits for the answer; without one the server says it when it refuses. */
const PATIENCE_MS = 1000;

/** What a password must not resemble: what is typed beside it, or whose it is by a mail's token. */
type About = { email_address?: string; name?: string; token?: string };

async function askWeakness(password: string, about: About): Promise<string | null> {
  if (password === "") return null;
  try {
    const body = { password, ...about };
    const config = { retry: false, timeoutMs: PATIENCE_MS };
    const { data } = await api.post("users/check-password", { body, ...config });
    return data.map(({ message }) => message).join(" ") || null;
  } catch (error) {
    log.debug(`A password was not checked: ${problemText(error)}`);
    return null;
  }
}

/** Judges the new password of a form by the server's rules, before it is sent. */
export function useWeakness<Values extends FieldValues>(
  field: Path<Values>,
  aboutOf: (values: Values) => About,
): Judge<Values> {
  const [judge] = useState<Judge<Values>>(() => {
    let asked = "";
    let answer: Promise<string | null> = Promise.resolve(null);
    return async (values: Values) => {
      const password = String(values[field] ?? "");
      const about = aboutOf(values);
      const question = JSON.stringify([password, about]);
      if (question !== asked) {
        asked = question;
        answer = askWeakness(password, about);
      }
      let told: string | null;
      let seen: typeof answer;
      // An older answer must not be shown for a newer password.
      do {
        seen = answer;
        told = await seen;
      } while (seen !== answer);
      return told === null ? {} : { [field]: told };
    };
  });
  return judge;
}
