/** TanStack Table for a state that does not change while a table exists: no subscriptions. */

const nothing = () => undefined;
const ended = { unsubscribe: nothing };
const still = <Value>(get: () => Value) => ({ get, subscribe: () => ended });

/**
 * The reactivity that TanStack needs from its host. Ours comes from React: a new table is created
 * for each new state, so its values are read without subscriptions. (TanStack's React adapter
 * contains a store, which every page would have to load.)
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
