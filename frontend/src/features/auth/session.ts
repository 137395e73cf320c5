/** Who is signed in. Present means authenticated; the rest is how they came and went. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { api } from "@/shared/api/client";
import type * as signIn from "@/shared/api/signIn";
import { clearTokens, getToken, setTokens } from "@/shared/api/tokens";
import { isInputHeld } from "@/shared/lib/heldInput";
import { getSetting, removeSetting, setSetting } from "@/shared/lib/localSettings";
import { log } from "@/shared/lib/log";
import {
  forgetPerson,
  heldPerson,
  holdFor,
  noteSignedIn,
  onSignInAsked,
  personAway,
  personBack,
  type Seat,
  seatIn,
} from "@/shared/lib/person";
import { problemText } from "@/shared/lib/problem";
import { onProofAsked } from "@/shared/lib/proof";
import { memberOf } from "@/shared/lib/records";
import { noteRole } from "@/shared/lib/role";

export type User = signIn.User;

/** How the last session ended: signing out leads to the welcome page, an end by itself to sign-in. */
export type Exit = "signedOut" | "ended" | null;

export type Way = "login" | "demo" | "register";

type Session = {
  user: User | null;
  loading: boolean;
  /** What the last sign-in or registration failed with, until the next try. */
  error: string | null;
  /** Which of them: one form's error is nothing for another one. */
  errorOf: Way | null;
  exit: Exit;
  /** Whether the page stays under the sign-in form, because something on it would be lost. */
  keepsPage: boolean;
};

const USER_KEY = "user";
const LAST_PERSON = "lastPerson";

/** The stored value must be a user: a list, a number or an incomplete answer does not sign in. */
function isUser(stored: unknown): stored is User {
  // By hand: it is the only such check of the first load, which would hold the checker for it.
  const address = memberOf(stored, "email_address");
  const isNamed = typeof address === "string" && address !== "";
  return (
    isNamed &&
    typeof memberOf(stored, "name") === "string" &&
    Number.isSafeInteger(memberOf(stored, "id"))
  );
}

function storedUser(): User | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(USER_KEY) ?? "null");
    return isUser(stored) ? stored : null;
  } catch {
    return null;
  }
}

export const session = createStore<Session>(() => ({
  user: storedUser(),
  loading: false,
  error: null,
  errorOf: null,
  exit: null,
  keepsPage: false,
}));

noteSignedIn(session.getState().user !== null);
session.subscribe(({ user }) => noteSignedIn(user !== null));

/** Who acts where: what this browser keeps is kept by it. */
export const seatOf = ({ id, store }: User): Seat => seatIn(id, store?.id ?? id);

function enterSeat(user: User | null): void {
  holdFor(user && seatOf(user));
  noteRole(user?.store);
}

enterSeat(session.getState().user);

/** Takes up a session that has just begun, or goes on in another store. */
export function take({ user, tokens }: signIn.SignedIn): void {
  const last = getSetting(LAST_PERSON);
  if (last !== undefined && last !== seatOf(user)) forgetPerson();
  setSetting(LAST_PERSON, seatOf(user));
  setTokens(tokens);
  localStorage.setItem(USER_KEY, JSON.stringify(user));
  enterSeat(user);
}

/** The person's role and stores as they are by now: the owner may have changed them. */
export async function renewRole(): Promise<void> {
  const { data } = await api.get("users/me");
  const [user] = data as User[];
  const known = session.getState().user;
  if (!user || !known || seatOf(user) !== seatOf(known)) return;
  setUser(user);
  if (user.store?.role !== (known.store?.role ?? "owner")) window.location.reload();
}

/** Whether something on the page would be lost with it. */
const isPageInUse = () => isInputHeld() || document.querySelector("[role=dialog]") !== null;

function leave(exit: Exit, keepsPage = false): void {
  if (keepsPage) personAway();
  localStorage.removeItem(USER_KEY);
  clearTokens();
  if (exit === "signedOut") {
    removeSetting(LAST_PERSON);
    forgetPerson();
    holdFor(null);
  }
  session.setState({ user: null, loading: false, error: null, errorOf: null, exit, keepsPage });
}

/** Signs out here and in the other tabs; the request to the server is not waited for. */
export function logout(): void {
  const refreshToken = getToken("refreshToken");
  if (refreshToken !== null) {
    api
      .post("users/logout", { body: { refreshToken }, retry: false })
      .catch((error) => log.warn(`Logout was not told to the server: ${problemText(error)}`));
  }
  leave("signedOut");
}

/** The session is over without the person's doing: its refresh failed. */
export const endSession = () => leave("ended", isPageInUse());
onProofAsked(async () => (await import(/* webpackChunkName: "prove" */ "./prove")).askForProof());
onSignInAsked((writes) => {
  if (session.getState().user !== null) leave("ended", writes || isPageInUse());
});

/** After the profile was saved: the stored user follows. */
export function setUser(user: User): void {
  localStorage.setItem(USER_KEY, JSON.stringify(user));
  noteRole(user.store);
  session.setState({ user });
}

/** Follows what other tabs do: signed out there is signed out here, signed in likewise. */
export function followOtherTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== USER_KEY && event.key !== null) return;
    const user = storedUser();
    const before = session.getState().user;
    if (user === null && before !== null) {
      // Only signing out forgets whose browser it was.
      const ended = getSetting(LAST_PERSON) !== undefined;
      const keepsPage = ended && isPageInUse();
      if (keepsPage) personAway();
      if (!ended) forgetPerson();
      session.setState({ user: null, exit: ended ? "ended" : "signedOut", keepsPage });
    } else if (user !== null) {
      const held = heldPerson();
      if (held !== null && held !== seatOf(user)) forgetPerson();
      enterSeat(user);
      session.setState({ user, exit: null, keepsPage: false });
      if (before === null) personBack();
    }
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}

export const currentUser = () => session.getState().user;
export const useSession = () => useStore(session);

/** What the last try this way failed with. */
export const useEntryError = (way: Way) =>
  useStore(session, ({ error, errorOf }) => (errorOf === way ? error : null));

export const useUser = () => useStore(session, (state) => state.user);
export const onSession = session.subscribe;
