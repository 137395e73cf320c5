import { useEffect } from "react";
import { Outlet, useLocation } from "react-router-dom";
import { followOtherTabs, useRefreshCycle, useUser } from "@/features/auth/public";
import { forgetAsOf } from "@/shared/lib/line";
import { productName } from "@/shared/lib/pageMeta";
import { titleOf } from "@/shared/lib/paths";
import { applyTheme } from "@/shared/lib/theme";
import { useSystemTheme, useThemeChoice } from "@/shared/lib/useTheme";

/** What holds on every page: the title, the theme of its side, the session's upkeep. */
export function Root() {
  const { pathname } = useLocation();
  const user = useUser();
  const system = useSystemTheme();
  const { theme } = useThemeChoice();
  const title = titleOf(pathname, productName());
  const applied = user ? theme : system;

  useEffect(() => applyTheme(applied), [applied]);
  useEffect(() => {
    document.title = title;
  }, [title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next page shows answers of its own
  useEffect(forgetAsOf, [pathname]);
  useEffect(followOtherTabs, []);
  useRefreshCycle();

  return (
    <>
      <Outlet />
      {/* Client-side navigation is silent to screen readers; this says where one is. */}
      <p role="status" className="sr-only">
        {title}
      </p>
    </>
  );
}
