/** TanStack Table for a state that does not change while a table lives: nothing to subscribe to. */

const nothing = () => undefined;
const ended = { unsubscribe: nothing };
const still = <Value>(get: () => Value) => ({ get, subscribe: () => ended });

/**
 * The reactivity that TanStack asks its host for. Ours is React's: a table is made anew when its
 * state is another one, so that its values are read and never listened to. (The adapter for React
 * brings a store of its own, which every page would be sent for nothing.)
 */
export const stillReactivity = () => ({
  createOptionsStore: false,
  wrapExternalAtoms: false,
  addSubscription: nothing,
  untrack: <Value>(read: () => Value) => read(),
  batch: (work: () => void) => work(),
  schedule: (work: () => void) => work(),
  createReadonlyAtom: <Value>(get: () => Value) => still(get),
  createWritableAtom: <Value>(first: Value) => {
    let held = first;
    const set = (next: Value | ((old: Value) => Value)) => {
      held = typeof next === "function" ? (next as (old: Value) => Value)(held) : next;
    };
    return { ...still(() => held), set };
  },
});
