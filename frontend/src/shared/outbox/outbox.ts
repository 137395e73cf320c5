/**
 * Operations that are kept in this browser until the server has answered them: through a reload, a
 * lost connection and the end of a session. They are sent one at a time, oldest first, each once.
 */

import { createStore, type StoreApi } from "zustand/vanilla";
import { createKeeper } from "@/shared/lib/keeper";
import { onPersonForgotten } from "@/shared/lib/person";
import { waitsFor } from "./reach";
import { createSendLoop } from "./sendLoop";

export type Answered<Operation, Answer> = {
  operation: Operation;
  answer?: Answer;
  /** The refusal. */
  error?: unknown;
};

/** `isAway`: the server could not be reached, and what waits is sent later. */
export type Waiting<Operation> = { waiting: readonly Operation[]; isAway: boolean };

export type Outbox<Operation, Answer> = {
  store: StoreApi<Waiting<Operation>>;
  put: (operations: readonly Operation[]) => Promise<void>;
  /** Takes up what this tab before its reload, and closed tabs, had not sent. */
  resume: () => Promise<void>;
  tryAgain: () => void;
  /** Calls back with each answer. Returns a function that stops it. */
  onAnswered: (listener: (answered: Answered<Operation, Answer>) => void) => () => void;
};

/**
 * `name` is the name of its setting. `send` gives the operation's `key` to the server, so that a
 * repeated operation is carried out once. `onNotKept` is called when the browser has no room for
 * the operations: they are sent, but a reload loses them.
 */
export function createOutbox<Operation extends { key: string }, Answer>(given: {
  name: string;
  send: (operation: Operation) => Promise<Answer>;
  onNotKept?: (error: unknown) => void;
}): Outbox<Operation, Answer> {
  const keeper = createKeeper<readonly Operation[]>(given.name);
  const empty: Waiting<Operation> = { waiting: [], isAway: false };
  const store = createStore(() => empty);
  const listeners = new Set<(answered: Answered<Operation, Answer>) => void>();
  store.subscribe(({ waiting }, before) => {
    if (waiting === before.waiting) return;
    try {
      keeper.keep(waiting.length > 0 ? waiting : null);
    } catch (error) {
      given.onNotKept?.(error);
    }
  });

  const loop = createSendLoop(async (isCurrent) => {
    const [operation] = store.getState().waiting;
    if (!operation) return "nothing left";
    let answered: Answered<Operation, Answer>;
    try {
      answered = { operation, answer: await given.send(operation) };
    } catch (error) {
      if (isCurrent() && waitsFor(error)) {
        store.setState({ isAway: true });
        return "away";
      }
      answered = { operation, error };
    }
    if (!isCurrent()) return "sent";
    store.setState(({ waiting }) => ({
      waiting: waiting.filter(({ key }) => key !== operation.key),
      isAway: false,
    }));
    for (const listener of listeners) listener(answered);
    return "sent";
  });
  onPersonForgotten(() => {
    loop.forget();
    store.setState(empty);
  });

  return {
    store,
    tryAgain: loop.tryAgain,
    put: (operations) => {
      store.setState(({ waiting }) => ({ waiting: [...waiting, ...operations] }));
      return loop.run();
    },
    resume: async () => {
      const left = (await keeper.takeLeft()).flat();
      if (left.length === 0) return;
      store.setState(({ waiting }) => ({ waiting: [...left, ...waiting] }));
      await loop.run();
    },
    onAnswered: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
