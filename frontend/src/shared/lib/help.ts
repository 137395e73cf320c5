/** Where the documentation explains a page of the app. It is served under /help. */
import { paths } from "./paths";

/** Its page in docs/, by the path of the app. */
export const helpPages: Readonly<Record<string, string>> = {
  [paths.home]: "sell/first-hour",
  [paths.reports]: "sell/reports",
  [paths.catalog]: "sell/stock",
  [paths.stow]: "sell/stow",
  [paths.batches]: "sell/sort",
  [paths.buyLego]: "sell/buy",
  [paths.sets]: "sell/sets",
  [paths.inventory]: "sell/stock",
  [paths.unknownItems]: "sell/stock",
  [paths.locations]: "sell/bins",
  [paths.sources]: "sell/sort",
  [paths.store]: "sell/sync",
  [paths.orders]: "sell/orders",
  [paths.profile]: "sell/account",
  [paths.settings]: "sell/account",
  [paths.apiTesting]: "build/api",
};

export function helpOf(pathname: string): string {
  const page = helpPages[pathname];
  return page ? `/help/${page}/` : "/help/";
}
