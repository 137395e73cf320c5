/** Repeatable random acts, for tests of any order of operations, failures and reloads. */

import { getSetting, listSettings, removeSetting, setSetting } from "@/shared/lib/localSettings";
import { UNSENT } from "@/shared/lib/person";

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

/**
 * Leaves what a page has kept for the page after it. `end` ends the page: what it sent arrives, and
 * nobody hears the answer. With `page`, its steps are kept too.
 */
export function reloaded(end: () => void, page?: { keepSteps: () => void }): void {
  page?.keepSteps();
  const kept = listSettings().filter((name) => name.startsWith(UNSENT));
  const values = kept.map((name) => [name, getSetting(name)] as const);
  end();
  for (const [name, value] of values) {
    removeSetting(name);
    setSetting(`${name}-before`, value);
  }
}

/**
 * A line to a server: each call takes its time, may be lost on its way there or back, and is
 * carried out once for each key.
 */
export class Line {
  /** Lost calls: the request or its answer does not arrive. */
  lost: ("request" | "answer")[] = [];
  private readonly answers = new Map<string, () => unknown>();

  constructor(
    private readonly dice: Dice,
    private readonly fail: () => Error,
  ) {}

  async call<Answer>(key: string, act: () => Answer): Promise<Answer> {
    await this.wait();
    const fault = this.lost.shift();
    if (fault === "request") throw this.fail();
    let answer = this.answers.get(key);
    if (!answer) {
      answer = resultOf(act);
      this.answers.set(key, answer);
    }
    if (fault === "answer") throw this.fail();
    await this.wait();
    return answer() as Answer;
  }

  private wait(): Promise<void> {
    const ms = this.dice.next() < 0.3 ? 0 : this.dice.below(450);
    return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
  }
}

function resultOf<Answer>(act: () => Answer): () => Answer {
  try {
    const answer = act();
    return () => answer;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
