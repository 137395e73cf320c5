/** Failures that heal by themselves: an edit that met one waits and is sent again with its key. */

import { onPersonBack } from "@/shared/lib/person";
import { isSessionOver } from "@/shared/lib/problem";
import type { CellMark } from "./model";

/** How long to wait for a line that says nothing of being back. */
const TRY_AGAIN_MS = 10_000;

/** Whether what was thrown says that the server was not reached, or that its answer was not. */
function isLineDown(error: unknown): boolean {
  const { failure } = (error ?? {}) as { failure?: unknown };
  return failure === "connection" || failure === "timeout";
}

/** Resolves when the browser says that it is online again, or after a while. */
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

/** Resolves when the same person is signed in again; never, where somebody else is. */
const signedInAgain = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = onPersonBack(() => {
      stop();
      resolve();
    });
  });

export type WaitsFor = Extract<CellMark, { state: "waiting" }>["waitsFor"];

/** Does `send` until it reaches the server; `onWaiting` is called each time that it does not. */
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
