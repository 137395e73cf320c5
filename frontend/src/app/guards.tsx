import { Fragment, type ReactNode, useRef } from "react";
import { Navigate, Outlet, useBlocker, useLocation } from "react-router-dom";
import { currentUser, SignInAgain, seatOf, useSession } from "@/features/auth/public";
import { JobToasts } from "@/features/jobs/public";
import { ScannerFrame } from "@/features/locations/public";
import { TrayCards } from "@/features/orders/public";
import { OutboxLayer } from "@/features/outbox/public";
import { StowPlans } from "@/features/stow/public";
import { isDialogHeld, isInputHeld } from "@/shared/lib/heldInput";
import { paths } from "@/shared/lib/paths";
import { heldPerson } from "@/shared/lib/person";
import { memberOf } from "@/shared/lib/records";
import { firstPage, mayOpen } from "@/shared/lib/role";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { EndWatch, LargeFace } from "./pages";
import { PaletteLayer } from "./palette/PaletteLayer";

/** Kept in navigation state, never in the address: where a person wanted to go. */
export type Wanted = { wanted?: string; ended?: boolean };

/** Whether notifications of ending auctions may be shown here: Buy LEGO asks when something is watched. */
const mayTell = () => "Notification" in window && Notification.permission === "granted";

/** Pages under /app: visitors go to sign-in and come back, or to welcome after signing out. */
export function SignedInOnly() {
  const { user, exit, keepsPage } = useSession();
  const { pathname, search, hash } = useLocation();
  const wasHere = useRef(user !== null);
  if (user && !mayOpen(pathname)) return <Navigate to={firstPage()} replace />;
  if (user || keepsPage) {
    return (
      // Another person who signs in, and another store, gets pages of its own.
      <Fragment key={user ? seatOf(user) : heldPerson()}>
        {keepsPage && <SignInAgain />}
        <Outlet />
        <LeaveGuard />
        <PaletteLayer />
        <JobToasts />
        <OutboxLayer />
        <StowPlans />
        <ScannerFrame />
        <TrayCards />
        <LargeFace />
        {pathname !== paths.buyLego && mayTell() && <EndWatch />}
      </Fragment>
    );
  }
  // Signed out on purpose: on to welcome. The browser's Back then opens the plain sign-in form.
  if (exit === "signedOut") {
    return wasHere.current ? (
      <Navigate to={paths.welcome} />
    ) : (
      <Navigate to={paths.signIn} replace />
    );
  }
  const state: Wanted = { wanted: pathname + search + hash, ended: exit === "ended" };
  return <Navigate to={paths.signIn} replace state={state} />;
}

const isInApp = (address: unknown): address is string =>
  typeof address === "string" && [`${paths.app}/`, paths.join].some((at) => address.startsWith(at));

/**
 * Public pages redirect signed-in people to the wanted page, otherwise home. Links from mails are
 * an exception.
 */
export function VisitorsOnly() {
  const { user } = useSession();
  const { search, state } = useLocation();
  const wanted = memberOf(state, "wanted");
  if (!user || new URLSearchParams(search).get("confirm")) return <Outlet />;
  return <Navigate to={isInApp(wanted) ? wanted : paths.home} replace />;
}

/** Any other path: home for who is signed in, sign-in for visitors. */
export function Elsewhere() {
  const { user } = useSession();
  return <Navigate to={user ? paths.home : paths.signIn} replace />;
}

/** A page at its path alone: other spellings that the router takes for it, `/signin/`, go there. */
export function AtItsPath({ path, children }: { path: string; children: ReactNode }) {
  const { pathname, search, hash, state } = useLocation();
  if (pathname === path) return children;
  return <Navigate to={{ pathname: path, search, hash }} state={state} replace />;
}

/** Asks before a page is left with input that is not saved. */
function LeaveGuard() {
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    if (currentUser() === null) return false; // the session is over: forms keep what was typed
    // Over an open dialog only the history can be moved; other moves are what its button did.
    if (historyAction === "POP" && isDialogHeld()) return true;
    const leaves = currentLocation.pathname !== nextLocation.pathname;
    return leaves && isInputHeld({ modal: false });
  });
  return (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      title="Leave without saving?"
      confirmLabel="Leave"
      danger
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      What you typed on this page has not been saved.
    </ConfirmDialog>
  );
}
