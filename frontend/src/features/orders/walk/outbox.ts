/** What was picked and is not stored yet. */

import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { createOutbox } from "@/shared/outbox/outbox";
import { sendPick } from "../mutations";

export type PickBody = Parameters<typeof sendPick>[1];
export type Answered = Awaited<ReturnType<typeof sendPick>>;
/** A row of stock that was picked; `stop` is the same for what one press picked in a bin. */
export type Waiting = { key: string; stop: string; walk: number; body: PickBody; name: string };

export const outbox = createOutbox<Waiting, Answered>({
  name: "picks",
  send: ({ walk, body, key }) => sendPick(walk, body, key),
});

/** Sends what one press picked in a bin: a body for each of its rows. */
export function putPicks(walk: number, bodies: readonly PickBody[], name: string): void {
  const stop = newIdempotencyKey();
  void outbox.put(bodies.map((body) => ({ key: newIdempotencyKey(), stop, walk, body, name })));
}
