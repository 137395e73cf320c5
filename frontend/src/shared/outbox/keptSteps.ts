/**
 * The steps of a history, kept by the tab while its page is reloaded. Another tab never has them,
 * and they leave with their person.
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
  // As written above.
  const { person, ...kept } = JSON.parse(text) as KeptSteps<S, About> & { person: number };
  return person === heldPerson() ? kept : null;
}

/** Calls back when the page may end. */
export function onPageLeft(listener: () => void): void {
  window.addEventListener("pagehide", listener);
  // A browser may discard a hidden page without another event.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") listener();
  });
}

onPersonForgotten(() => {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
});
