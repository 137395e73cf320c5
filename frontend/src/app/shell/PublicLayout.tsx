import { Link, Outlet, useLocation } from "react-router-dom";
import { productName, productVersion } from "@/shared/lib/pageMeta";
import { paths } from "@/shared/lib/paths";
import { ButtonLink } from "@/shared/ui/Button";
import { ErrorBoundary } from "../ErrorBoundary";
import { Brand } from "./Brand";

/** The frame of the public pages. Where a person wanted to go travels along in the state. */
export function PublicLayout() {
  const { pathname, state } = useLocation();
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto flex w-full max-w-6xl items-center justify-between gap-4 px-4 py-4 sm:px-6">
        <Brand to={paths.welcome} />
        <nav aria-label="Account" className="flex items-center gap-2">
          {pathname !== paths.signIn && (
            <ButtonLink to={paths.signIn} state={state} variant="ghost">
              Sign in
            </ButtonLink>
          )}
          {pathname !== paths.signUp && (
            <ButtonLink to={paths.signUp} state={state} variant="secondary">
              Sign up
            </ButtonLink>
          )}
        </nav>
      </header>
      <main className="flex flex-1 flex-col">
        <ErrorBoundary key={pathname}>
          <Outlet />
        </ErrorBoundary>
      </main>
      <footer className="mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-2 px-4 py-6 text-muted text-xs sm:px-6">
        <span>
          {productName()} is not affiliated with the LEGO Group. LEGO is a trademark of the LEGO
          Group. Pictures of parts are drawn from models by{" "}
          <a href="https://www.ldraw.org" className="underline underline-offset-2">
            The LDraw Parts Library
          </a>{" "}
          (CC BY 4.0), which also names parts; numbers and sets are from{" "}
          <a href="https://rebrickable.com" className="underline underline-offset-2">
            Rebrickable
          </a>
          .
        </span>
        <span className="flex gap-3">
          <Link to={paths.privacy} className="underline-offset-2 hover:text-ink hover:underline">
            Privacy policy
          </Link>
          <span>Version {productVersion()}</span>
        </span>
      </footer>
    </div>
  );
}
