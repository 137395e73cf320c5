/**
 * Keeps the unsent operations of a tab over a reload or a crash. Each tab stores its own under a
 * name for which it holds a lock, and claims the operations of closed tabs (their locks are free).
 */
import { newIdempotencyKey } from "./idempotencyKey";
import { getSetting, listSettings, removeSetting, setSetting } from "./localSettings";
import { UNSENT } from "./person";

export type Keeper<Value> = {
  /** Replaces the kept value of this tab; null removes it. */
  keep: (value: Value | null) => void;
  /**
   * Unsent operations of closed tabs and of this tab before it was reloaded. Each is claimed once.
   */
  takeLeft: () => Promise<Value[]>;
};

/**
 * Stores in the browser's settings, which are deleted when another person signs in. `locks` is the
 * browser's lock manager; without it, one tab is assumed.
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
