/** The ways in. They are loaded with the pages that have them, not with every page. */

import { api } from "@/shared/api/client";
import * as signIn from "@/shared/api/signIn";
import { paths } from "@/shared/lib/paths";
import { personBack } from "@/shared/lib/person";
import { problemText } from "@/shared/lib/problem";
import { session, take, type Way } from "./session";

export type Asked = signIn.Asked;

/** Lets this browser act in another of the person's stores, and opens that one's first page. */
export async function actIn(id: number): Promise<void> {
  const { data } = await api.post("users/store", { body: { id }, retry: false });
  const signedIn = signIn.readLogin(data[0]);
  take(signedIn);
  session.setState({ user: signedIn.user });
  // Nothing that this page holds in memory is of the other store.
  window.location.assign(paths.app);
}

async function enter(way: Way, attempt: () => Promise<signIn.SignedIn>): Promise<void> {
  if (session.getState().loading) return;
  session.setState({ loading: true, error: null, errorOf: null });
  try {
    const signedIn = await attempt();
    take(signedIn);
    const { user } = signedIn;
    session.setState({ user, loading: false, exit: null, keepsPage: false });
    personBack();
  } catch (error) {
    session.setState({ loading: false, error: problemText(error), errorOf: way });
    throw error;
  }
}

/** Signs in. Resolves with what is asked for beside the password, null where nothing is. */
export async function login(credentials: signIn.Credentials): Promise<Asked | null> {
  try {
    await enter("login", () => signIn.login(credentials));
  } catch (error) {
    const asked = signIn.askedIn(error);
    if (asked === null) throw error;
    session.setState({ error: null, errorOf: null });
    return asked;
  }
  return null;
}

/** Signs in with what was asked for. */
export const secondStep = (answer: signIn.FactorAnswer & { remember: boolean }) =>
  enter("login", () => signIn.secondStep(answer));

export const demoLogin = () => enter("demo", signIn.demoLogin);
export const register = (form: signIn.Registration) =>
  enter("register", () => signIn.register(form));
