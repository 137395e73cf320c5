/** When the server cannot be reached: which failures wait, and when they are tried again. */

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
