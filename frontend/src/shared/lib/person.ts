/**
 * Values that this browser keeps for a person: the last item added, drafts, unsent operations.
 * Settings whose names begin with PERSONAL are deleted on signing out and when another person signs
 * in.
 */
import { listSettings, removeSetting } from "./localSettings";

export const PERSONAL = "person_";

/** Names of unsent work. Resetting the options does not delete it. */
export const UNSENT = `${PERSONAL}unsent_`;

let heldFor: number | null = null;

/** Whose unsent work and steps this tab holds, also after the end of a session. Null: nobody's. */
export const heldPerson = (): number | null => heldFor;

export function holdFor(person: number | null): void {
  heldFor = person;
}

const listeners = new Set<() => void>();
const endings = new Set<() => void>();
const returns = new Set<() => void>();

/**
 * Calls back after a person's data was deleted, to clear values in memory. Returns a function that
 * stops the calls.
 */
export function onPersonForgotten(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back just before a session expires, while typed input is still on the page. */
export function onSessionEnding(listener: () => void): () => void {
  endings.add(listener);
  return () => endings.delete(listener);
}

/** Calls back when the person whose session expired has signed in again. */
export function onPersonBack(listener: () => void): () => void {
  returns.add(listener);
  return () => returns.delete(listener);
}

let toSignIn: () => void = () => undefined;

/** Opens the sign-in form, with the way back to this page. */
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
