import { paths } from "@/shared/lib/paths";

/** Where `g` and a letter lead. */
export const destinations: readonly { letter: string; label: string; to: string }[] = [
  { letter: "h", label: "Home", to: paths.home },
  { letter: "c", label: "Catalog", to: paths.catalog },
  { letter: "s", label: "Stow Inventory", to: paths.stow },
  { letter: "b", label: "Batches", to: paths.batches },
  { letter: "y", label: "Buy LEGO", to: paths.buyLego },
  { letter: "m", label: "My Sets", to: paths.sets },
  { letter: "i", label: "Inventory", to: paths.inventory },
  { letter: "l", label: "Inventory Locations", to: paths.locations },
  { letter: "u", label: "Sources", to: paths.sources },
  { letter: "o", label: "Orders", to: paths.orders },
  { letter: "r", label: "Reports", to: paths.reports },
  { letter: "t", label: "The store", to: paths.store },
];
