/** Time that tests let pass, where answers and the browser's storage take turns of their own. */

// jsdom hides it, and faked timers leave it alone.
const setImmediate = new (Node.constructor as FunctionConstructor)("return setImmediate")() as (
  work: () => void,
) => void;

const TURNS = 400;
const MOST_STEPS = 40;
const STEP_MS = 50;

async function turns(): Promise<void> {
  for (let count = 0; count < TURNS; count += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Lets faked time pass, and what it starts come to its end. */
export async function pass(ms: number): Promise<void> {
  await turns();
  const step = Math.max(STEP_MS, Math.ceil(ms / MOST_STEPS));
  for (let left = ms; left > 0; left -= step) {
    await jest.advanceTimersByTimeAsync(Math.min(step, left));
    await turns();
  }
}
