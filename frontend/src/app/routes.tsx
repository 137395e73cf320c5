import { type ReactNode, useEffect } from "react";
import { Navigate, type RouteObject } from "react-router-dom";
import { paths } from "@/shared/lib/paths";
import { ErrorBoundary } from "./ErrorBoundary";
import { AtItsPath, Elsewhere, SignedInOnly, VisitorsOnly } from "./guards";
import * as pages from "./pages";
import { HomePage, StowPage } from "./pages";
import { Root } from "./Root";
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
