/**
 * What was picked and is not stored yet: kept in this browser through a reload, sent one at a time
 * and once, oldest first. A server that cannot be reached is tried again by itself.
 */

import { createStore } from "zustand/vanilla";
import { ApiError, RetriesExhaustedError } from "@/shared/api/errors";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { createKeeper } from "@/shared/lib/keeper";
import { onPersonForgotten } from "@/shared/lib/person";
import { sendPick } from "../mutations";

export type PickBody = Parameters<typeof sendPick>[1];
export type Answered = Awaited<ReturnType<typeof sendPick>>;
/** A row of stock that was picked; `stop` is the same for what one press picked in a bin. */
export type Waiting = { key: string; stop: string; walk: number; body: PickBody; name: string };
export type Heard = { pick: Waiting; answer?: Answered; error?: unknown };

/** Until an unreachable server is asked again. */
export const TRY_AGAIN_MS = 15_000;

const keeper = createKeeper<readonly Waiting[]>("picks");
export const outbox = createStore<{ waiting: readonly Waiting[] }>(() => ({ waiting: [] }));
outbox.subscribe(({ waiting }) => keeper.keep(waiting.length > 0 ? waiting : null));
onPersonForgotten(() => outbox.setState({ waiting: [] }));

const listeners = new Set<(heard: Heard) => void>();
let working = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Calls back with the result of each pick. Returns a function that stops it. */
export function onPicked(listener: (heard: Heard) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Sends what one press picked in a bin: a body for each of its rows. */
export function putPicks(walk: number, bodies: readonly PickBody[], name: string): void {
  const stop = newIdempotencyKey();
  const picks = bodies.map((body) => ({ key: newIdempotencyKey(), stop, walk, body, name }));
  outbox.setState(({ waiting }) => ({ waiting: [...waiting, ...picks] }));
  void sendNow();
}

/** Takes up what this tab before its reload, and closed tabs, had not sent; then sends. */
export async function resume(): Promise<void> {
  const left = (await keeper.takeLeft()).flat();
  if (left.length > 0) {
    outbox.setState(({ waiting }) => ({ waiting: [...left, ...waiting] }));
  }
  await sendNow();
}

/** Sends what waits. */
export async function sendNow(): Promise<void> {
  if (working) return;
  clearTimeout(timer);
  working = true;
  try {
    for (let next = outbox.getState().waiting[0]; next; next = outbox.getState().waiting[0]) {
      const pick = next;
      let heard: Heard;
      try {
        heard = { pick, answer: await sendPick(pick.walk, pick.body, pick.key) };
      } catch (error) {
        if (isAway(error)) {
          timer = setTimeout(() => void sendNow(), TRY_AGAIN_MS);
          return;
        }
        heard = { pick, error };
      }
      outbox.setState(({ waiting }) => ({
        waiting: waiting.filter(({ key }) => key !== pick.key),
      }));
      for (const listener of listeners) listener(heard);
    }
  } finally {
    working = false;
  }
}

const isAway = (error: unknown) =>
  error instanceof RetriesExhaustedError ||
  !(error instanceof ApiError) ||
  error.status === null ||
  error.status === 401 ||
  error.status >= 500;
