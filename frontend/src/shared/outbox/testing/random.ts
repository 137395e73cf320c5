/** Repeatable random acts, for tests of any order of operations, failures and reloads. */

/** Repeatable numbers from 0 to 1 (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Dice = {
  next: () => number;
  below: (most: number) => number;
  one: <Thing>(things: readonly Thing[]) => Thing;
};

export function diceOf(seed: number): Dice {
  const next = numbersFrom(seed);
  const below = (most: number) => Math.floor(next() * most);
  return { next, below, one: (things) => things[below(things.length)] as (typeof things)[number] };
}
