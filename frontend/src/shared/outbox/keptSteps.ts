/**
 * The steps of a history, kept by the tab while its page is hidden or reloaded. They leave with
 * their person.
 */
import { heldPerson, onPersonForgotten } from "@/shared/lib/person";
import type { History, Step } from "./history";

const PREFIX = "bb_steps_";

/** `about`: what its client needs to know of the rows. */
export type KeptSteps<S, About> = { history: History<S>; about: About | null };

export function keepSteps<S extends Step, About>(name: string, kept: KeptSteps<S, About>): void {
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

export const dropSteps = (name: string): void => sessionStorage.removeItem(PREFIX + name);

/** Takes them once. */
export function takeSteps<S extends Step, About>(name: string): KeptSteps<S, About> | null {
  const text = sessionStorage.getItem(PREFIX + name);
  dropSteps(name);
  if (text === null) return null;
  const kept = read<S, About>(text);
  return kept?.person === heldPerson() ? kept : null;
}

/** Null where it is not as written above: by another version, say. */
function read<S, About>(text: string): (KeptSteps<S, About> & { person: number }) | null {
  try {
    const kept = JSON.parse(text);
    const isWhole = Array.isArray(kept?.history?.done) && Array.isArray(kept.history.undone);
    return isWhole ? kept : null;
  } catch {
    return null;
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
