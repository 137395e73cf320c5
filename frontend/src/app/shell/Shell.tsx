import { useEffect, useRef } from "react";
import { Outlet, useLocation, useNavigate, useNavigationType } from "react-router-dom";
import { paths } from "@/shared/lib/paths";
import { handing } from "@/shared/lib/useHandedFile";
import { BrickLinkNotice } from "@/shared/ui/BrickLinkNotice";
import { DropZone } from "@/shared/ui/DropZone";
import { Settled } from "@/shared/ui/Settled";
import { Strips } from "@/shared/ui/Strips";
import { ErrorBoundary } from "../ErrorBoundary";
import { KeysLayer } from "../keys/KeysLayer";
import { Bar } from "./Bar";

/** The frame of the pages under /app: the bar stays, only the main area scrolls. */
export function Shell() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  // A document that was just loaded begins with the link that skips the bar.
  const isLoaded = useRef(useNavigationType() === "POP");
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page begins at its top
  useEffect(() => {
    // In braces: newer browsers answer a promise, which is no clean-up function.
    main.current?.scrollTo(0, 0);
    const focused = document.activeElement;
    const isInPage = focused?.closest("main, [role=dialog]") != null;
    const isFree = focused === document.body || (!isInPage && focused?.closest("header") != null);
    if (!isLoaded.current && isFree) main.current?.focus({ preventScroll: true });
    isLoaded.current = false;
  }, [pathname]);

  // It has to be there by the end of a first act.
  useEffect(() => {
    const following = import("./followingFocus").then(({ followFocus }) => followFocus());
    return () => void following.then((end) => end());
  }, []);
  const navigate = useNavigate();
  return (
    <DropZone
      className="flex h-dvh flex-col"
      onFile={(file) => {
        // A dialog may hold something unsent.
        if (document.querySelector("[role=dialog]")) return;
        void navigate(paths.inventory, handing(file));
      }}
    >
      {/* biome-ignore lint/a11y/useValidAnchor: the browser's own jump adds to the history past the router, which warns of it */}
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          // A page with a list beside what is open names where that begins.
          const content = main.current?.querySelector<HTMLElement>("[data-content]");
          (content ?? main.current)?.focus();
        }}
        className="z-tooltip sr-only rounded-control bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <KeysLayer />
      <Bar />
      <Strips />
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        className="relative min-h-0 flex-1 overflow-y-auto outline-none"
      >
        <ErrorBoundary key={pathname}>
          <Outlet />
        </ErrorBoundary>
        {/* Later than what the page keeps back itself and than what loads: both would move it, and a
            move counts in the very moment in which it is seen again. */}
        <Settled key={`below ${pathname}`} quietMs={600}>
          <BrickLinkNotice className="below-loading mx-auto w-full px-4 pb-4 sm:px-6" />
        </Settled>
      </main>
    </DropZone>
  );
}
