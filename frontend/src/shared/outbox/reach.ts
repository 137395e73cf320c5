/** When the server cannot be reached: which failures wait, and when they are tried again. */

import { onLineBack } from "@/shared/lib/line";
import { onPersonBack } from "@/shared/lib/person";
import { isSessionOver } from "@/shared/lib/problem";
import { memberOf } from "@/shared/lib/records";

/** The longest time before an unreachable server is tried again. */
export const TRY_AGAIN_MS = 10_000;

export type WaitsFor = "line" | "signIn";

/** What an operation waits for after this error. Null: the server has answered. */
export function waitsFor(error: unknown): WaitsFor | null {
  if (isSessionOver(error)) return "signIn";
  return memberOf(error, "failure") ? "line" : null;
}

export type Pauses = {
  /**
   * Resolves when the server is to be tried again: after TRY_AGAIN_MS, when the browser is online,
   * or when `end` is called. After the end of a session it waits for the same person, and for ever
   * if another one signs in.
   */
  pause: (reason: WaitsFor) => Promise<void>;
  /** Ends all pauses, or the longest one. */
  end: (which: "all" | "longest") => void;
};

export function createPauses(): Pauses {
  const running = new Set<() => void>();
  return {
    pause: (reason) =>
      new Promise((resolve) => {
        const done = () => {
          running.delete(done);
          for (const stop of stops) stop();
          resolve();
        };
        const stops =
          reason === "signIn"
            ? [onPersonBack(done)]
            : [onOnline(done), onLineBack(done), inTime(done)];
        if (reason === "line") running.add(done);
      }),
    end: (which) => {
      for (const done of [...running].slice(0, which === "all" ? undefined : 1)) done();
    },
  };
}

/** Calls back when the browser is online again. Returns a function that stops it. */
function onOnline(listener: () => void): () => void {
  window.addEventListener("online", listener);
  return () => window.removeEventListener("online", listener);
}

function inTime(listener: () => void): () => void {
  const timer = setTimeout(listener, TRY_AGAIN_MS);
  return () => clearTimeout(timer);
}
