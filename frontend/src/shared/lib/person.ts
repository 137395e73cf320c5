/**
 * Values that this browser keeps for a person: the last item added, drafts, unsent operations.
 * Settings whose names begin with PERSONAL are deleted on signing out, when another person signs in
 * and when the person acts in another store.
 */
import { listSettings, removeSetting } from "./localSettings";

export const PERSONAL = "person_";

/** Who acts in which store: the id of a person in his own store, `7@3` in the store of 3. */
export type Seat = number | string;

export const seatIn = (person: number, store: number): Seat =>
  person === store ? person : `${person}@${store}`;

export const storeOfSeat = (seat: Seat): number =>
  typeof seat === "number" ? seat : Number(seat.split("@")[1]);

let heldFor: Seat | null = null;

/** Whose unsent work and steps this tab holds, also after the end of a session. Null: nobody's. */
export const heldPerson = (): Seat | null => heldFor;

export function holdFor(person: Seat | null): void {
  heldFor = person;
}

const listeners = new Set<() => void>();
const returns = new Set<() => void>();

/**
 * Calls back after a person's data was deleted, to clear values in memory. Returns a function that
 * stops the calls.
 */
export function onPersonForgotten(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back when the person whose session expired has signed in again. */
export function onPersonBack(listener: () => void): () => void {
  returns.add(listener);
  return () => returns.delete(listener);
}

let isIn = false;

/** Whether somebody is signed in. */
export const isSignedIn = (): boolean => isIn;

export function noteSignedIn(signedIn: boolean): void {
  isIn = signedIn;
}

let toSignIn: (writes: boolean) => void = () => undefined;

/** Opens the sign-in form, with the way back to this page. */
export function onSignInAsked(lead: (writes: boolean) => void): void {
  toSignIn = lead;
}

/** `writes`: a write is under way, so that the page has to stay as it is. */
export const askToSignIn = ({ writes = false } = {}): void => toSignIn(writes);

/** The session has ended, and its page waits for the same person under the sign-in form. */
let isAway = false;

export const isPersonAway = (): boolean => isAway;

export function personAway(): void {
  isAway = true;
}

/**
 * Resolves when the person has signed in again, and never where another one has: then the page that
 * waits is gone.
 */
export function untilBack(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle?: () => void) => () => {
      for (const stop of stops) stop();
      signal?.removeEventListener("abort", abort);
      settle?.();
    };
    const abort = end(() => reject(signal?.reason));
    const stops = [onPersonBack(end(resolve)), onPersonForgotten(end())];
    signal?.addEventListener("abort", abort, { once: true });
  });
}

export function personBack(): void {
  isAway = false;
  for (const listener of [...returns]) listener();
}

export function forgetPerson(): void {
  for (const name of listSettings()) if (name.startsWith(PERSONAL)) removeSetting(name);
  isAway = false;
  for (const listener of [...listeners]) listener();
}

/** How much of what this person did waits to be sent. The outbox sets it. */
let unsent = 0;

export const unsentCount = (): number => unsent;

export function noteUnsent(count: number): void {
  unsent = count;
}
