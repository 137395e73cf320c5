import { Navigate, type RouteObject } from "react-router-dom";
import { ErrorBoundary } from "./ErrorBoundary";
import { Elsewhere, SignedInOnly, VisitorsOnly } from "./guards";
import { HomeRoute } from "./HomeRoute";
import * as pages from "./pages";
import { paths } from "./paths";
import { Root } from "./Root";
import { RouterErrorScreen } from "./RouterErrorScreen";
import { PublicLayout } from "./shell/PublicLayout";
import { Shell } from "./shell/Shell";

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
              { path: paths.welcome, element: <pages.WelcomePage /> },
              { path: paths.signIn, element: <pages.SignInPage /> },
              { path: paths.signUp, element: <pages.SignUpPage /> },
              { path: paths.privacy, element: <pages.PrivacyPage /> },
            ],
          },
        ],
      },
      {
        element: <SignedInOnly />,
        children: [
          { path: paths.app, element: <Navigate to={paths.home} replace /> },
          {
            path: paths.stow,
            element: (
              <ErrorBoundary>
                <pages.StowPage />
              </ErrorBoundary>
            ),
          },
          {
            element: <Shell />,
            children: [
              { path: paths.home, element: <HomeRoute /> },
              { path: paths.reports, element: <pages.ReportsPage /> },
              { path: paths.apiTesting, element: <pages.ApiTestingPage /> },
              { path: paths.profile, element: <pages.ProfilePage /> },
              { path: paths.catalog, element: <pages.CatalogPage /> },
              { path: paths.batches, element: <pages.BatchesPage /> },
              { path: paths.buyLego, element: <pages.BuyLegoPage /> },
              { path: paths.inventory, element: <pages.InventoryPage /> },
              { path: paths.locations, element: <pages.LocationsPage /> },
              { path: paths.sources, element: <pages.SourcesPage /> },
              { path: paths.store, element: <pages.StorePage /> },
              { path: paths.sets, element: <pages.SetsPage /> },
              { path: paths.settings, element: <pages.SettingsPage /> },
            ],
          },
        ],
      },
      { path: "*", element: <Elsewhere /> },
    ],
  },
];
