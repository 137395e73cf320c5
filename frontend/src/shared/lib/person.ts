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
const endings = new Set<() => void>();
const returns = new Set<() => void>();

/** Calls back after a person was forgotten, for what is held in memory. Returns how to stop. */
export function onPersonForgotten(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back just before a session ends by itself: what is typed is still on the page. */
export function onSessionEnding(listener: () => void): () => void {
  endings.add(listener);
  return () => endings.delete(listener);
}

/** Calls back when the person whose session had ended is signed in again. */
export function onPersonBack(listener: () => void): () => void {
  returns.add(listener);
  return () => returns.delete(listener);
}

let toSignIn: () => void = () => undefined;

/** Who leads to the sign-in form, with the way back here. */
export function onSignInAsked(lead: () => void): void {
  toSignIn = lead;
}

export const askToSignIn = (): void => toSignIn();

export function sessionEnding(): void {
  for (const listener of endings) listener();
}

export function personBack(): void {
  for (const listener of [...returns]) listener();
}

export function forgetPerson(): void {
  for (const name of listSettings()) if (name.startsWith(PERSONAL)) removeSetting(name);
  for (const listener of listeners) listener();
}
