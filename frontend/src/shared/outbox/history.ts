/** The steps that can be undone and redone. Pure: histories in, histories out; 50 steps at most. */

export const HISTORY_LIMIT = 50;
/** A step that is older is not kept over a reload. */
export const KEPT_MS = 12 * 60 * 60_000;
/** The most changes kept over a reload: the browser has room for a few thousand rows. */
export const MOST_KEPT = 1000;

/** One value of a row before and after an operation: plain data that can be kept and repeated. */
export type Change = { row: string; before: unknown; after: unknown };

/** An act that the server keeps and can undo: on stock, or on the items of a batch. */
export type ServerAct = { id: number; batch?: number };

/** One operation of a person. Its `after` values do it, its `before` values undo it. */
export type Step<C extends Change = Change> = {
  id: number;
  /** Milliseconds since the epoch. */
  at: number;
  label: string;
  changes: readonly C[];
  /** An act that the server records. It is undone there. */
  takeBack?: () => Promise<unknown>;
  /**
   * Does it anew, after an undo. Resolves with what undoes that, null where nothing was to do.
   * Without it, the act cannot be redone.
   */
  again?: () => Promise<Pick<Step, "takeBack" | "acts"> | null>;
  /** The acts that `takeBack` undoes, oldest first. Without them a reload forgets the step. */
  acts?: readonly ServerAct[];
};

/** Oldest first. Undo takes the last of `done`, redo the last of `undone`. */
export type History<S> = { done: readonly S[]; undone: readonly S[] };
export type Side = "done" | "undone";

export const emptyHistory = { done: [], undone: [] } as const;

/** After a new act: redo is cleared, and the oldest step beyond the limit is dropped. */
export function recorded<S extends Step>(history: History<S>, step: S): History<S> {
  return { done: [...history.done, step].slice(-HISTORY_LIMIT), undone: [] };
}

/** Moves the last step of a side to the other one: from `done` it is undone, else redone. */
export function moved<S extends Step>(
  history: History<S>,
  from: Side,
): { history: History<S>; step: S } | null {
  const step = history[from].at(-1);
  if (!step) return null;
  const less = history[from].slice(0, -1);
  const next =
    from === "done"
      ? { done: less, undone: [...history.undone, step] }
      : { done: [...history.done, step], undone: less };
  return { history: next, step };
}

/** Puts a step back whose undo (or redo) failed. */
export function putBack<S extends Step>(history: History<S>, step: S, from: Side): History<S> {
  const without = dropped(history, step.id);
  const target = [...without[from], step].sort((a, b) =>
    from === "done" ? a.id - b.id : b.id - a.id,
  );
  return { ...without, [from]: target };
}

export function dropped<S extends Step>(history: History<S>, id: number): History<S> {
  return mapped(history, (step) => (step.id === id ? null : step));
}

/** The step without the changes that failed; removed when none remain. */
export function trimmed<C extends Change, S extends Step<C>>(
  history: History<S>,
  id: number,
  failed: (change: C) => boolean,
): History<S> {
  return mapped(history, (step) => {
    if (step.id !== id) return step;
    const changes = step.changes.filter((change) => !failed(change));
    return changes.length ? { ...step, changes } : null;
  });
}

/** The values of a row became others: undo and redo then start from those. */
export function restated<C extends Change, S extends Step<C>>(
  history: History<S>,
  isIt: (change: C) => boolean,
  now: (value: C["after"]) => C["after"],
): History<S> {
  const other = (change: C): C =>
    isIt(change) ? { ...change, before: now(change.before), after: now(change.after) } : change;
  return mapped(history, (step) =>
    step.changes.some(isIt) ? { ...step, changes: step.changes.map(other) } : step,
  );
}

/** After an act was undone: it can be done again, or it leaves the history. */
export function takenBack<S extends Step>(history: History<S>, id: number): History<S> {
  return mapped(history, (step) => {
    if (step.id !== id) return step;
    return step.again ? { ...step, takeBack: undefined, acts: undefined } : null;
  });
}

export function renamed<S extends Step>(history: History<S>, id: number, label: string) {
  return mapped(history, (step) => (step.id === id ? { ...step, label } : step));
}

/**
 * The number of undos (positive) or redos (negative) to the state right after a step; for an
 * unknown step, to the first state.
 */
export function stepsTo<S extends Step>(history: History<S>, id: number): number {
  const place = history.done.findIndex((step) => step.id === id);
  if (place >= 0) return history.done.length - 1 - place;
  const ahead = history.undone.findIndex((step) => step.id === id);
  return ahead >= 0 ? ahead - history.undone.length : history.done.length;
}

/**
 * The newest steps, which a reload keeps. A step that cannot be kept ends them: undo never passes
 * over a step. An act that the server is asked to undo just now may have to be asked again.
 */
export function keepable<S extends Step>(given: History<S>, now: number): History<S> {
  const asked = given.undone.filter(({ acts }) => acts);
  const history = {
    done: [...given.done, ...asked],
    undone: given.undone.filter(({ acts }) => !acts),
  };
  let room = MOST_KEPT;
  const isKept = (step: S) => {
    room -= step.changes.length;
    const isWhole = step.takeBack ? step.acts !== undefined : step.again === undefined;
    return room >= 0 && now - step.at < KEPT_MS && isWhole;
  };
  const done = history.done.slice(history.done.findLastIndex((step) => !isKept(step)) + 1);
  return { done, undone: history.undone.every(isKept) ? history.undone : [] };
}

/** The steps of this page after those of the page before, whose ids become negative. */
export function joined<S extends Step>(before: History<S>, now: History<S>): History<S> {
  const newest = Math.max(...[...before.done, ...before.undone].map(({ id }) => id));
  const earlier = (steps: readonly S[]) =>
    steps.map((step) => ({ ...step, id: step.id - newest - 1 }));
  const isUsed = now.done.length + now.undone.length > 0;
  return {
    done: [...earlier(before.done), ...now.done].slice(-HISTORY_LIMIT),
    undone: isUsed ? now.undone : earlier(before.undone),
  };
}

/** The last change of a value: what it is since then, and the step that was done or undone. */
export function lastChange<C extends Change, S extends Step<C>>(
  { done, undone }: History<S>,
  isIt: (change: C) => boolean,
): { value: C["after"]; step: S; from: Side | null } | null {
  for (const step of undone.toReversed()) {
    const change = step.changes.find(isIt);
    if (change) return { value: change.before, step, from: "done" };
  }
  for (const step of done.toReversed()) {
    const change = step.changes.findLast(isIt);
    if (change) return { value: change.after, step, from: null };
  }
  return null;
}

/** The inverse changes, the last one first. */
export function reversed<C extends Change>(changes: readonly C[]): C[] {
  return changes.map((one) => ({ ...one, before: one.after, after: one.before })).reverse();
}

export function mapped<S extends Step>(
  history: History<S>,
  change: (step: S) => S | null,
): History<S> {
  const each = (steps: readonly S[]) => steps.flatMap((one) => change(one) ?? []);
  return { done: each(history.done), undone: each(history.undone) };
}
