/** The entries of the bar and its two dropdowns, as data, in the specification's order. */
import { paths } from "@/shared/lib/paths";
import { mayOpen } from "@/shared/lib/role";

export type NavEntry = { label: string; to: string; disabled?: boolean };
export type NavAction = { label: string; action: "logOut" | number };

export const barEntries: readonly NavEntry[] = [
  { label: "Home", to: paths.home },
  { label: "Catalog", to: paths.catalog },
  { label: "Stow Inventory", to: paths.stow },
  { label: "Batches", to: paths.batches },
  { label: "Buy LEGO", to: paths.buyLego },
  { label: "My Sets", to: paths.sets },
];

/** In the bar of who sells: the others keep the bar of the specification. */
export const ordersEntry: NavEntry = { label: "Orders", to: paths.orders };

export const inventoryEntries: readonly NavEntry[] = [
  { label: "Inventory", to: paths.inventory },
  { label: "Inventory Locations", to: paths.locations },
  { label: "Sources", to: paths.sources },
];

export const userEntries: readonly (NavEntry | NavAction)[] = [
  { label: "Profile", to: paths.profile },
  { label: "Settings", to: paths.settings },
  // There for the specification's sake; operators open /admin by its address.
  { label: "Admin", to: "/admin/", disabled: true },
  { label: "Log Out", action: "logOut" },
];

/** What is rendered: entries that are disabled, or not for the person's role, are hidden. */
export function shown<Entry extends NavEntry | NavAction>(entries: readonly Entry[]): Entry[] {
  return entries.filter((entry) => !("to" in entry) || (!entry.disabled && mayOpen(entry.to)));
}
