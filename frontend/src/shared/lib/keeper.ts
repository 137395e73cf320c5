/**
 * Keeps the unsent operations of a tab over a reload or a crash. Each tab stores its own under a
 * name for which it holds a lock, and claims the operations of closed tabs (their locks are free).
 */
import { newIdempotencyKey } from "./idempotencyKey";
import { getSetting, listSettings, removeSetting, setSetting } from "./localSettings";
import { UNSENT } from "./person";

export type Keeper<Value> = {
  /** Replaces the kept value of this tab; null removes it. Throws where there is no room. */
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
  /** Releases the lock; null while nothing is kept. */
  let release: (() => void) | null = null;

  const hold = () => {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    void locks?.request(own, () => held);
  };

  return {
    keep: (value) => {
      if (value !== null) {
        if (!release) hold();
        if (!setSetting(own, value)) throw new Error("The browser's storage is full.");
      } else if (release) {
        removeSetting(own);
        release();
        release = null;
      }
    },
    takeLeft: async () => {
      // The names end with a key, which has no underscore: "edits_a" is not "edits_a_b".
      const isLeft = (name: string) =>
        name.startsWith(prefix) && name !== own && !name.slice(prefix.length).includes("_");
      const names = listSettings().filter(isLeft);
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
