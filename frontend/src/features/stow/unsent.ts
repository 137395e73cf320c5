/**
 * What this browser keeps of a sitting that the server has not all of: the rows with their wishes,
 * and the calls whose outcome is not known, with their keys, so that they are sent again to the
 * letter and carried out once.
 *
 * Each tab keeps its own, under a name that it holds a lock on. A tab takes over what lies there
 * of tabs that are gone (their lock is free): after a reload, a crash, or the end of a battery.
 */

import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { getSetting, listSettings, removeSetting, setSetting } from "@/shared/lib/localSettings";
import { UNSENT } from "@/shared/lib/person";
import { difference, type Row, type Session } from "./session";

/** A call that was sent: what it was about, word for word, and its key. */
export type SentCall = { row: Row; key: string };

export type Kept = { rows: readonly Row[]; sent: readonly (readonly [string, SentCall])[] };

/** Rows that the server does not have as they are wanted; refused ones wait for the person. */
export function unsentRows(session: Session): Row[] {
  return session.rows.filter((row) => difference(row) !== null);
}

/** A row as it comes back: nothing of it is on its way any more. */
export const cameBack = (row: Row): Row => ({ ...row, sending: false, unsent: false });

export type Keeper<Value> = {
  /** Replaces what this tab keeps; null: nothing any more. */
  keep: (value: Value | null) => void;
  /** What dead tabs, and this one before its reload, left behind; taken once. */
  takeLeft: () => Promise<Value[]>;
};

/**
 * Keeps under the browser's settings, which are forgotten with the person. `locks` are the
 * browser's; without them one tab is assumed.
 */
export function createKeeper<Value>(
  what: string,
  locks: Pick<LockManager, "request"> | undefined = navigator.locks,
): Keeper<Value> {
  const prefix = `${UNSENT}${what}_`;
  const own = prefix + newIdempotencyKey();
  void locks?.request(own, () => new Promise<void>(() => undefined));
  let isKept = false;

  return {
    keep: (value) => {
      if (value !== null) setSetting(own, value);
      else if (isKept) removeSetting(own);
      isKept = value !== null;
    },
    takeLeft: async () => {
      const names = listSettings().filter((name) => name.startsWith(prefix) && name !== own);
      const left: Value[] = [];
      for (const name of names) {
        const take = () => {
          const kept = getSetting<Value>(name);
          removeSetting(name);
          if (kept) left.push(kept);
        };
        if (!locks) take();
        else await locks.request(name, { ifAvailable: true }, (lock) => lock && take());
      }
      return left;
    },
  };
}
