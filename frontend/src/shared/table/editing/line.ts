/** Lost connections: an edit that failed for one waits and is sent again with its key. */

import { onPersonBack } from "@/shared/lib/person";
import { isSessionOver } from "@/shared/lib/problem";
import type { CellMark } from "./model";

/** The longest wait for the browser to report a connection. */
const TRY_AGAIN_MS = 10_000;

/** Whether an error means that the server, or its answer, did not arrive. */
function isLineDown(error: unknown): boolean {
  const { failure } = (error ?? {}) as { failure?: unknown };
  return failure === "connection" || failure === "timeout";
}

/** Resolves when the browser reports that it is online, or after a while. */
function lineBack(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, TRY_AGAIN_MS);
    window.addEventListener("online", done);
  });
}

/** Resolves when the same person has signed in again; never if another person does. */
const signedInAgain = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = onPersonBack(() => {
      stop();
      resolve();
    });
  });

export type WaitsFor = Extract<CellMark, { state: "waiting" }>["waitsFor"];

/** Retries `send` until it reaches the server. `onWaiting` is called after each failure. */
export async function whenLineHolds<Result>(
  send: () => Promise<Result>,
  onWaiting: (waitsFor: WaitsFor) => void,
): Promise<Result> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const waitsFor = isSessionOver(error) ? "signIn" : "line";
      if (waitsFor === "line" && !isLineDown(error)) throw error;
      onWaiting(waitsFor);
      await (waitsFor === "line" ? lineBack() : signedInAgain());
    }
  }
}
