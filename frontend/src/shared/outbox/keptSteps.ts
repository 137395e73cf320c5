/**
 * The steps of a history, kept by the tab while its page is hidden or reloaded. They leave with
 * their person.
 */
import { heldPerson, onPersonForgotten, type Seat } from "@/shared/lib/person";
import { emptyHistory, type History, joined, keepable, type Step } from "./history";

const PREFIX = "bb_steps_";

/** `about`: what its client needs to know of the rows. */
type KeptSteps<S, About> = { history: History<S>; about: About | null };

function keepSteps<S extends Step, About>(name: string, kept: KeptSteps<S, About>): void {
  const key = PREFIX + name;
  const person = heldPerson();
  const { done, undone } = kept.history;
  if (person === null || done.length + undone.length === 0) {
    sessionStorage.removeItem(key);
    return;
  }
  try {
    sessionStorage.setItem(key, JSON.stringify({ person, ...kept }));
  } catch {
    // No room. Steps of an earlier time would be wrong.
    sessionStorage.removeItem(key);
  }
}

const dropSteps = (name: string): void => sessionStorage.removeItem(PREFIX + name);

/** Takes them once. */
function takeSteps<S extends Step, About>(name: string): KeptSteps<S, About> | null {
  const text = sessionStorage.getItem(PREFIX + name);
  dropSteps(name);
  if (text === null) return null;
  const kept = read<S, About>(text);
  return kept?.person === heldPerson() ? kept : null;
}

/** Null where it is not as written above: by another version, say. */
function read<S, About>(text: string): (KeptSteps<S, About> & { person: Seat }) | null {
  try {
    const kept = JSON.parse(text);
    const isWhole = Array.isArray(kept?.history?.done) && Array.isArray(kept.history.undone);
    return isWhole ? kept : null;
  } catch {
    return null;
  }
}

/** The steps that one page of a tab leaves to the next one. */
export class StepsOfTab<S extends Step, About> {
  /** This page has taken up the steps of the page before. */
  isRecalled = false;
  /** Those steps, while they are not taken up. Undefined: not read yet. */
  private earlier?: KeptSteps<S, About> | null;

  constructor(private readonly name: string) {}

  /** The steps of the page before, the first time. */
  recall(): KeptSteps<S, About> | null {
    if (this.isRecalled) return null;
    const kept = this.before();
    this.isRecalled = true;
    this.earlier = null;
    this.drop();
    return kept;
  }

  /** Keeps the steps of this page, after those of the page before that were not taken up. */
  keep(own: History<S>, aboutRows: (rows: readonly string[]) => About | null): void {
    const earlier = this.before();
    const history = keepable(earlier ? joined(earlier.history, own) : own, Date.now());
    const rows = new Set(
      [...history.done, ...history.undone].flatMap(({ changes }) => changes.map(({ row }) => row)),
    );
    // Steps that were not taken up have all the rows: the others are acts of the server.
    const about = earlier ? earlier.about : rows.size > 0 ? aboutRows([...rows]) : null;
    keepSteps(this.name, { history, about });
  }

  drop(): void {
    dropSteps(this.name);
  }

  /** Read once, since this page keeps its own under the same name. */
  private before(): KeptSteps<S, About> | null {
    if (this.earlier === undefined) {
      const kept = takeSteps<S, About>(this.name);
      const history = keepable(kept?.history ?? emptyHistory, Date.now());
      const isUsed = history.done.length + history.undone.length > 0;
      this.earlier = kept && isUsed ? { ...kept, history } : null;
    }
    return this.earlier;
  }
}

/** Calls back when the page may end, and when it is shown again. */
export function onPageLeft(left: () => void, shown: () => void): void {
  window.addEventListener("pagehide", left);
  // A browser may discard a hidden page without another event.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") left();
    else shown();
  });
}

onPersonForgotten(() => {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
});
