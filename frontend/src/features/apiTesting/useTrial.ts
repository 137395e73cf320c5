import { useRef, useState } from "react";
import { type Attempt, requestWith } from "@/shared/api/client";
import { readAnswer } from "@/shared/api/envelope";
import { ApiError } from "@/shared/api/errors";
import { loaded } from "@/shared/api/transport";
import { problemText } from "@/shared/lib/problem";
import type { Trial } from "./trial";

export type Outcome = {
  state: "running" | "answered" | "failed" | "cancelled";
  attempts: Attempt[];
  /** The last answer's body as it came, where one came. */
  raw: string | null;
  status: number | null;
  message: string | null;
  durationMs: number | null;
};

/** Sends what was typed through the product's own client, and reports each attempt as it happens. */
export function useTrial() {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const control = useRef<AbortController | null>(null);

  const send = async (trial: Trial, retry: boolean) => {
    control.current?.abort();
    const own = new AbortController();
    control.current = own;
    const startedAt = performance.now();
    const change = (changes: Partial<Outcome>) => {
      if (control.current !== own) return;
      const durationMs = Math.round(performance.now() - startedAt);
      setOutcome((now) => now && { ...now, durationMs, ...changes });
    };
    setOutcome({
      state: "running",
      attempts: [],
      raw: null,
      status: null,
      message: null,
      durationMs: null,
    });

    const read = async (response: Response) => {
      const raw = await loaded(response.clone().text());
      change({ raw, status: response.status });
      return readAnswer(response);
    };
    try {
      const config = {
        params: trial.params,
        headers: trial.headers,
        retry,
        signal: own.signal,
        onAttempt: (attempt: Attempt) =>
          setOutcome((now) => now && { ...now, attempts: [...now.attempts, attempt] }),
      };
      await requestWith(trial.endpoint, trial.method, trial.body, config, read);
      change({ state: "answered" });
    } catch (error) {
      if (own.signal.aborted) change({ state: "cancelled", message: "Cancelled." });
      else {
        const code = error instanceof ApiError ? `${error.code}: ` : "";
        change({ state: "failed", message: code + problemText(error) });
      }
    }
  };
  return { outcome, send, cancel: () => control.current?.abort() };
}
