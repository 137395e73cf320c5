/** What the role of a person leaves out of the store he acts in. The server's table decides. */
import { paths } from "./paths";

/** As the server names it: `write orders/{}/refund`. */
export type Operation = `${"read" | "write"} ${string}`;

let refused: ReadonlySet<string> = new Set();
let hidden: ReadonlySet<string> = new Set();

export function noteRole(store: { refuses?: string[]; hides?: string[] } | undefined): void {
  refused = new Set(store?.refuses);
  hidden = new Set(store?.hides);
}

/** Whether the person may do this here. */
export const may = (operation: Operation): boolean => !refused.has(operation);

/** Whether a field of the API is not sent to the person. */
export const hides = (field: string): boolean => hidden.has(field);

/** What each page is of no use without. */
const PAGES: Readonly<Record<string, Operation>> = {
  [paths.home]: "read home",
  [paths.reports]: "read reports",
  [paths.catalog]: "read catalogItems",
  [paths.stow]: "write batchItems",
  [paths.batches]: "read batches",
  [paths.buyLego]: "read auctionListings",
  [paths.sets]: "read userSets",
  [paths.inventory]: "read inventoryItems",
  [paths.unknownItems]: "read inventoryItems/unknown",
  [paths.locations]: "read inventoryLocations",
  [paths.sources]: "read sources",
  [paths.store]: "read marketplace/syncs",
  [paths.orders]: "read orders",
};

/** Whether an address is of a page that the role opens. */
export function mayOpen(to: string): boolean {
  const needed = PAGES[to.split(/[?#]/)[0] ?? ""];
  return needed === undefined || may(needed);
}

/** Where the person's work begins. */
export const firstPage = (): string =>
  [paths.home, paths.batches, paths.orders].find(mayOpen) ?? paths.profile;
