/** When the server cannot be reached: which failures wait, and when they are tried again. */

import type { ApiError } from "@/shared/api/errors";
import { onPersonBack } from "@/shared/lib/person";
import { isSessionOver } from "@/shared/lib/problem";

/** The longest time before an unreachable server is tried again. */
export const TRY_AGAIN_MS = 10_000;

export type WaitsFor = "line" | "signIn";

/** What an operation waits for after this error. Null: the server has answered. */
export function waitsFor(error: unknown): WaitsFor | null {
  if (isSessionOver(error)) return "signIn";
  return (error as Partial<ApiError> | null)?.failure ? "line" : null;
}

/** Calls back when the browser is online again. Returns a function that stops it. */
export function onOnline(listener: () => void): () => void {
  window.addEventListener("online", listener);
  return () => window.removeEventListener("online", listener);
}

/**
 * Repeats `send` until the server answers it. `onWaiting` is called after each try that did not
 * reach it. After the end of a session it waits for the same person, and for ever if another one
 * signs in.
 */
export async function sendUntilAnswered<Result>(
  send: () => Promise<Result>,
  onWaiting: (waitsFor: WaitsFor) => void,
): Promise<Result> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const reason = waitsFor(error);
      if (!reason) throw error;
      onWaiting(reason);
      await once(reason === "signIn" ? onPersonBack : soonOrOnline);
    }
  }
}

const once = (on: (listener: () => void) => () => void) =>
  new Promise<void>((resolve) => {
    const stop = on(() => {
      stop();
      resolve();
    });
  });

function soonOrOnline(listener: () => void): () => void {
  const timer = setTimeout(listener, TRY_AGAIN_MS);
  const stop = onOnline(listener);
  return () => {
    clearTimeout(timer);
    stop();
  };
}
