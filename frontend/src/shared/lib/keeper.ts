/**
 * What a tab has not sent yet, kept over a reload, a crash, or the end of a battery. Each tab keeps
 * its own, under a name that it holds a lock on, and takes over what was left by tabs that are gone
 * (their lock is free).
 */
import { newIdempotencyKey } from "./idempotencyKey";
import { getSetting, listSettings, removeSetting, setSetting } from "./localSettings";
import { UNSENT } from "./person";

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
