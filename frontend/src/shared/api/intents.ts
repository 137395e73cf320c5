/**
 * Keeps the Idempotency-Key of each write. A write without a known result (the connection broke, no
 * answer came) keeps its key: pressing the button again repeats the same write, and the server
 * carries it out once.
 */
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { onPersonForgotten } from "@/shared/lib/person";

/** After this time, the same request counts as a new one. */
const SAME_INTENT_MS = 120_000;

const open = new Map<string, { key: string; at: number }>();

onPersonForgotten(() => open.clear());

export type Intent = {
  key: string;
  /** The result is known: the next equal request is a new one. */
  settle: () => void;
  /** The result is unknown: the request may have been carried out. */
  leaveOpen: () => void;
};

/**
 * Returns the intent of a request: that of an equal earlier request whose result is unknown, else a
 * new one.
 */
export function intentOf(request: string, now: number): Intent {
  for (const [known, { at }] of open) if (now - at > SAME_INTENT_MS) open.delete(known);
  const key = open.get(request)?.key ?? newIdempotencyKey();
  return {
    key,
    settle: () => {
      if (open.get(request)?.key === key) open.delete(request);
    },
    leaveOpen: () => open.set(request, { key, at: Date.now() }),
  };
}
