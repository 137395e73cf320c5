/**
 * The Idempotency-Key of what a person means to write. A write whose outcome is unknown (the line
 * broke, no answer came) keeps its key: pressing the button again is the same intent, and the
 * server carries it out once.
 */
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { onPersonForgotten } from "@/shared/lib/person";

/** Later than this, the same request is taken for another one. */
const SAME_INTENT_MS = 120_000;

const open = new Map<string, { key: string; at: number }>();

onPersonForgotten(() => open.clear());

export type Intent = {
  key: string;
  /** The outcome is known: the next request like it is another one. */
  settle: () => void;
  /** It is not known whether this was carried out. */
  leaveOpen: () => void;
};

/** The intent of a request: that of the one before, if it was the same and nobody knows its end. */
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
