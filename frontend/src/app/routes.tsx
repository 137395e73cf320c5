import { type ReactNode, useEffect } from "react";
import { Navigate, Outlet, type RouteObject, useLocation } from "react-router-dom";
import { followOtherTabs, useRefreshCycle, useUser } from "@/features/auth/public";
import { forgetAsOf } from "@/shared/lib/line";
import { productName } from "@/shared/lib/pageMeta";
import { paths, titleOf } from "@/shared/lib/paths";
import { applyTheme } from "@/shared/lib/theme";
import { useSystemTheme, useThemeChoice } from "@/shared/lib/useTheme";
import { ErrorBoundary } from "./ErrorBoundary";
import { AtItsPath, Elsewhere, SignedInOnly, VisitorsOnly } from "./guards";
import * as pages from "./pages";
import { HomePage, StowPage } from "./pages";
import { RouterErrorScreen } from "./RouterErrorScreen";
import { PublicLayout } from "./shell/PublicLayout";
import { Shell } from "./shell/Shell";

/** A path in its one spelling: in another case it is another path. */
const at = (path: string, element: ReactNode): RouteObject => ({
  path,
  element: <AtItsPath path={path}>{element}</AtItsPath>,
  caseSensitive: true,
});

/** Every route of the product. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <RouterErrorScreen />,
    children: [
      {
        element: <VisitorsOnly />,
        children: [
          {
            element: <PublicLayout />,
            children: [
              at(paths.welcome, <pages.WelcomePage />),
              at(paths.signIn, <pages.SignInPage />),
              at(paths.signUp, <pages.SignUpPage />),
              at(paths.privacy, <pages.PrivacyPage />),
            ],
          },
        ],
      },
      { element: <PublicLayout />, children: [at(paths.join, <pages.JoinPage />)] },
      {
        element: <SignedInOnly />,
        children: [
          at(paths.app, <Navigate to={paths.home} replace />),
          at(
            paths.stow,
            <ErrorBoundary>
              <pages.StowPage />
            </ErrorBoundary>,
          ),
          {
            element: <Shell />,
            children: [
              at(paths.home, <HomeRoute />),
              at(paths.reports, <pages.ReportsPage />),
              at(paths.apiTesting, <pages.ApiTestingPage />),
              at(paths.profile, <pages.ProfilePage />),
              at(paths.catalog, <pages.CatalogPage />),
              at(paths.batches, <pages.BatchesPage />),
              at(paths.buyLego, <pages.BuyLegoPage />),
              at(paths.inventory, <pages.InventoryPage />),
              at(paths.unknownItems, <pages.UnknownItemsPage />),
              at(paths.locations, <pages.LocationsPage />),
              at(paths.sources, <pages.SourcesPage />),
              at(paths.store, <pages.StorePage />),
              at(paths.orders, <pages.OrdersPage />),
              at(paths.sets, <pages.SetsPage />),
              at(paths.settings, <pages.SettingsPage />),
            ],
          },
        ],
      },
      { path: "*", element: <Elsewhere /> },
    ],
  },
];

/** Home, and while it is looked at, the stow page's chunk on its way: most sittings go on there. */
function HomeRoute() {
  useEffect(() => {
    const timer = setTimeout(StowPage.preload, 2000);
    return () => clearTimeout(timer);
  }, []);
  return <HomePage />;
}

/** What holds on every page: the title, the theme of its side, the session's upkeep. */
function Root() {
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
