/**
 * What this browser keeps for a person, not for the machine: the last item added, drafts, what is
 * not yet sent. Settings whose names begin with PERSONAL are forgotten on signing out and when
 * another person signs in.
 */
import { listSettings, removeSetting } from "./localSettings";

export const PERSONAL = "person_";

/** Names of what waits to be sent: work, and no option that could be set back. */
export const UNSENT = `${PERSONAL}unsent_`;

const listeners = new Set<() => void>();

/** Calls back after a person was forgotten, for what is held in memory. Returns how to stop. */
export function onPersonForgotten(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function forgetPerson(): void {
  for (const name of listSettings()) if (name.startsWith(PERSONAL)) removeSetting(name);
  for (const listener of listeners) listener();
}
