/** Sends what waits, one request at a time, and tries again when the server may be back. */

import { onPersonBack } from "@/shared/lib/person";
import { onOnline, TRY_AGAIN_MS } from "./reach";

/** `away`: the server cannot be reached. */
export type Step = "sent" | "away" | "nothing left";

export type SendLoop = {
  /** Sends what waits, unless this is going on already. */
  run: () => Promise<void>;
  /** Also sends what could not be sent before. */
  tryAgain: () => void;
  /** Stops: what is being sent belongs to a person who left. */
  forget: () => void;
};

/**
 * `step` sends one operation; its answer counts only while `isCurrent()`. `onAgain` is called before
 * an unreachable server is tried again.
 */
export function createSendLoop(
  step: (isCurrent: () => boolean) => Promise<Step>,
  onAgain: () => void = () => undefined,
): SendLoop {
  let working = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let era = 0;

  async function run(): Promise<void> {
    if (working) return;
    working = true;
    const mine = era;
    const isCurrent = () => mine === era;
    let last: Step = "sent";
    try {
      while (last === "sent" && isCurrent()) last = await step(isCurrent);
    } finally {
      working = false;
    }
    if (!isCurrent()) return run();
    if (last === "away") {
      clearTimeout(timer);
      timer = setTimeout(tryAgain, TRY_AGAIN_MS);
    }
  }

  function tryAgain(): void {
    clearTimeout(timer);
    onAgain();
    void run();
  }

  onOnline(tryAgain);
  onPersonBack(tryAgain);
  return {
    run,
    tryAgain,
    forget: () => {
      era += 1;
      clearTimeout(timer);
    },
  };
}
