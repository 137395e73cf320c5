/** The lazy pages. Each import is a chunk; the names are what the network log shows. */
import { type ComponentType, createElement } from "react";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Loading } from "@/shared/ui/states";

const lazyPage = (load: () => Promise<ComponentType>) => lazyPart(load, createElement(Loading));

export const WelcomePage = lazyPage(() =>
  import(/* webpackChunkName: "welcome" */ "@/features/welcome/WelcomePage").then(
    (m) => m.WelcomePage,
  ),
);
export const PrivacyPage = lazyPage(() =>
  import(/* webpackChunkName: "privacy" */ "@/features/welcome/PrivacyPage").then(
    (m) => m.PrivacyPage,
  ),
);
export const SignInPage = lazyPage(() =>
  import(/* webpackChunkName: "sign-in" */ "@/features/auth/SignInPage").then((m) => m.SignInPage),
);
export const SignUpPage = lazyPage(() =>
  import(/* webpackChunkName: "sign-up" */ "@/features/auth/SignUpPage").then((m) => m.SignUpPage),
);
export const JoinPage = lazyPage(() =>
  import(/* webpackChunkName: "join" */ "@/features/auth/JoinPage").then((m) => m.JoinPage),
);
export const HomePage = lazyPage(() =>
  import(/* webpackChunkName: "home" */ "@/features/home/HomePage").then((m) => m.HomePage),
);
export const ReportsPage = lazyPage(() =>
  import(/* webpackChunkName: "reports" */ "@/features/reports/ReportsPage").then(
    (m) => m.ReportsPage,
  ),
);
export const CatalogPage = lazyPage(() =>
  import(/* webpackChunkName: "catalog" */ "@/features/catalog/CatalogPage").then(
    (m) => m.CatalogPage,
  ),
);
export const BatchesPage = lazyPage(() =>
  import(/* webpackChunkName: "batches" */ "@/features/batches/BatchesPage").then(
    (m) => m.BatchesPage,
  ),
);
export const BuyLegoPage = lazyPage(() =>
  import(/* webpackChunkName: "buy-lego" */ "@/features/auctions/BuyLegoPage").then(
    (m) => m.BuyLegoPage,
  ),
);
export const SetsPage = lazyPage(() =>
  import(/* webpackChunkName: "sets" */ "@/features/sets/SetsPage").then((m) => m.SetsPage),
);
export const InventoryPage = lazyPage(() =>
  import(/* webpackChunkName: "inventory" */ "@/features/inventory/InventoryPage").then(
    (m) => m.InventoryPage,
  ),
);
export const UnknownItemsPage = lazyPage(() =>
  import(/* webpackChunkName: "unknown-items" */ "@/features/inventory/UnknownItemsPage").then(
    (m) => m.UnknownItemsPage,
  ),
);
export const LocationsPage = lazyPage(() =>
  import(/* webpackChunkName: "locations" */ "@/features/locations/LocationsPage").then(
    (m) => m.LocationsPage,
  ),
);
export const SourcesPage = lazyPage(() =>
  import(/* webpackChunkName: "sources" */ "@/features/sources/SourcesPage").then(
    (m) => m.SourcesPage,
  ),
);
export const StorePage = lazyPage(() =>
  import(/* webpackChunkName: "store" */ "@/features/marketplace/StorePage").then(
    (m) => m.StorePage,
  ),
);
export const OrdersPage = lazyPage(() =>
  import(/* webpackChunkName: "orders" */ "@/features/orders/OrdersPage").then((m) => m.OrdersPage),
);
export const ProfilePage = lazyPage(() =>
  import(/* webpackChunkName: "profile" */ "@/features/profile/ProfilePage").then(
    (m) => m.ProfilePage,
  ),
);
export const SettingsPage = lazyPage(() =>
  import(/* webpackChunkName: "settings" */ "@/features/settings/SettingsPage").then(
    (m) => m.SettingsPage,
  ),
);
export const ApiTestingPage = lazyPage(() =>
  import(/* webpackChunkName: "api-testing" */ "@/features/apiTesting/ApiTestingPage").then(
    (m) => m.ApiTestingPage,
  ),
);
export const StowPage = lazyPage(() =>
  import(/* webpackChunkName: "stow" */ "@/features/stow/StowPage").then((m) => m.StowPage),
);
/** No page: it draws nothing. What is not there when its chunk cannot be had harms no page. */
export const EndWatch = lazyPart<object>(() =>
  import(/* webpackChunkName: "end-watch" */ "@/features/auctions/public").then(
    (m) => m.EndWatch,
    () => () => null,
  ),
);
/** The same: a picture that is pointed at, large. */
export const LargeFace = lazyPart<object>(() =>
  import("@/shared/ui/LargeFace").then(
    (m) => m.LargeFace,
    () => () => null,
  ),
);
