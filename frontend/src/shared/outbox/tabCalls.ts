/**
 * Calls that are kept in this browser until the server has answered them: through a reload, a lost
 * connection and the end of a session. A call that is sent again is the same to the letter, with
 * its key, so that the server carries it out once.
 */

import { createStore } from "zustand/vanilla";
import { createKeeper } from "@/shared/lib/keeper";
import { onPersonForgotten } from "@/shared/lib/person";
import { createPauses, type WaitsFor, waitsFor } from "./reach";
import { Turns } from "./turns";

export type Answered<Call, Answer> = {
  /** As it is now among the waiting calls. A call that was removed from them is not reported. */
  operation: Call;
  answer?: Answer;
  /** The refusal. */
  error?: unknown;
};

/** `isAway`: the server could not be reached, and what waits is sent later. */
export type Waiting<Call> = { waiting: readonly Call[]; isAway: boolean };

/** `beside`: what is kept beside the calls. */
export type Kept<Call, Beside> = { calls: readonly Call[]; beside: Beside | null };

export type OutboxParts<Call, Answer, Beside> = {
  /** The name of its setting. */
  name: string;
  /** Gives the call's `key` to the server. */
  send: (call: Call) => Promise<Answer>;
  onWaiting?: (call: Call, reason: WaitsFor) => void;
  /** The browser has no room for the calls: they are sent, but a reload loses them. */
  onNotKept?: (error: unknown) => void;
  /** What is kept beside the calls. Null: nothing. */
  beside?: () => Beside | null;
  /** The person has left: their calls are neither sent nor heard of any more. */
  onForgotten?: () => void;
};

const ONE_AFTER_THE_OTHER = [""];
const NOTHING = { waiting: [], isAway: false };

export function createOutbox<Call extends { key: string }, Answer, Beside = never>(
  given: OutboxParts<Call, Answer, Beside>,
) {
  const keeper = createKeeper<Kept<Call, Beside>>(given.name);
  const store = createStore((): Waiting<Call> => NOTHING);
  const listeners = new Set<(answered: Answered<Call, Answer>) => void>();
  const pauses = createPauses();
  let turns = new Turns();
  let person = 0;

  function keep(): void {
    const { waiting: calls } = store.getState();
    const beside = given.beside?.() ?? null;
    try {
      keeper.keep(calls.length > 0 || beside ? { calls, beside } : null);
    } catch (error) {
      // What was kept before stays: a reload would lose it, too.
      given.onNotKept?.(error);
    }
  }
  store.subscribe(({ waiting }, before) => {
    if (waiting !== before.waiting) keep();
  });

  function add(calls: readonly Call[]): void {
    store.setState(({ waiting }) => ({ waiting: [...waiting, ...calls] }));
  }

  /** Runs `work` once the earlier work on these rows is done. New work tries the server again. */
  function inTurn<Result>(rows: Iterable<string>, work: () => Promise<Result>): Promise<Result> {
    const done = turns.take(rows, work);
    pauses.end("longest");
    return done;
  }

  async function untilAnswered(call: Call): Promise<Answer> {
    const sender = person;
    for (;;) {
      const answered = await attempt(given.send, call);
      if (sender !== person) return neverHeard;
      const reason = waitsFor(answered.error);
      if (!reason) return settled(call, answered);
      store.setState({ isAway: true });
      given.onWaiting?.(call, reason);
      await pauses.pause(reason);
      if (sender !== person) return neverHeard;
    }
  }

  function settled(call: Call, answered: Answered<Call, Answer>): Answer {
    const { isAway, waiting } = store.getState();
    const operation = waiting.find(({ key }) => key === call.key);
    store.setState({ waiting: waiting.filter((one) => one !== operation), isAway: false });
    if (operation) for (const listener of listeners) listener({ ...answered, operation });
    if (isAway) pauses.end("all");
    if ("error" in answered) throw answered.error;
    return answered.answer as Answer; // there is no refusal
  }

  const inOrder = (calls: readonly Call[]) =>
    Promise.all(
      calls.map((call) =>
        inTurn(ONE_AFTER_THE_OTHER, () => untilAnswered(call)).catch(() => undefined),
      ),
    ).then(() => undefined);

  function forget(): void {
    person += 1;
    turns = new Turns();
    store.setState(NOTHING);
    given.onForgotten?.();
  }
  onPersonForgotten(forget);

  /** What this tab before its reload, and closed tabs, had not sent. */
  async function takeLeft(): Promise<Kept<Call, Beside>[]> {
    // What is taken from the keeper is kept nowhere else until it waits here.
    const left = await keeper.takeLeft();
    const calls = left.flatMap((one) => one.calls);
    if (calls.length > 0) store.setState(({ waiting }) => ({ waiting: [...calls, ...waiting] }));
    return left;
  }

  return {
    store,
    /** Sends calls one after the other, behind those before. */
    put: (calls: readonly Call[]): Promise<void> => {
      add(calls);
      return inOrder(calls);
    },
    /** Sends what this tab before its reload, and closed tabs, had not sent. */
    resume: async (): Promise<readonly Beside[]> => {
      const left = await takeLeft();
      for (const { calls } of left) void inOrder(calls);
      return left.flatMap(({ beside }) => beside ?? []);
    },
    tryAgain: () => pauses.end("all"),
    /** Calls back with each answer. Returns a function that stops it. */
    onAnswered: (listener: (answered: Answered<Call, Answer>) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    // For operations.ts, which sends its calls in the turns of their rows:

    /** Sends one call at once. Resolves with its answer, and rejects with its refusal. */
    send: (call: Call): Promise<Answer> => {
      add([call]);
      return untilAnswered(call);
    },
    takeLeft,
    untilAnswered,
    inTurn,
    /** Resolves once all that is under way now is answered. */
    settled: () => turns.settled(),
    isBusy: () => turns.isBusy,
    keep,
    forget,
  };
}

async function attempt<Call, Answer>(
  send: (call: Call) => Promise<Answer>,
  operation: Call,
): Promise<Answered<Call, Answer>> {
  try {
    return { operation, answer: await send(operation) };
  } catch (error) {
    return { operation, error };
  }
}

/** The promise of a call whose person has left. */
const neverHeard = new Promise<never>(() => undefined);
