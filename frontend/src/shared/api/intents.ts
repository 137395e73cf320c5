/**
 * Keeps the Idempotency-Key of each write. A write without a known result (the connection broke, no
 * answer came) keeps its key: pressing the button again repeats the same write, and the server
 * carries it out once.
 */
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { onPersonForgotten } from "@/shared/lib/person";

/** After this time, the same request counts as a new one. */
const SAME_INTENT_MS = 120_000;
/** The same file is hardly meant twice, and a broken line takes its time. */
const SAME_UPLOAD_MS = 1_800_000;

const open = new Map<string, { key: string; until: number }>();

onPersonForgotten(() => open.clear());

type Payload = string | FormData | null;

export type Intent = {
  key: string;
  /** The result is known: the next equal request is a new one. */
  settle: () => void;
  /** The result is unknown: the request may have been carried out. */
  leaveOpen: () => void;
};

/**
 * Returns the intent of a request: that of an equal earlier request whose result is unknown, else a
 * new one. `given` is the key of a caller that keeps its own.
 */
export function intentOf(
  { method, address, payload }: { method: string; address: string; payload: Payload },
  given?: string,
): Intent {
  const now = Date.now();
  for (const [known, { until }] of open) if (now > until) open.delete(known);
  const request = `${method} ${address} ${payload instanceof FormData ? textOf(payload) : payload}`;
  const key = given ?? open.get(request)?.key ?? newIdempotencyKey();
  const lasts = payload instanceof FormData ? SAME_UPLOAD_MS : SAME_INTENT_MS;
  return {
    key,
    settle: () => {
      if (open.get(request)?.key === key) open.delete(request);
    },
    leaveOpen: () => open.set(request, { key, until: Date.now() + lasts }),
  };
}

/** Identifies a file by its name, size, type and date: its contents may be large. */
function textOf(form: FormData): string {
  const fields = [...form.entries()].map(([name, value]) =>
    value instanceof File
      ? [name, value.name, value.size, value.type, value.lastModified]
      : [name, value],
  );
  return JSON.stringify(fields);
}
