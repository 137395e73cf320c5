import {
  BookOpen,
  Boxes,
  ChartColumn,
  CircleUser,
  FileUp,
  Gavel,
  House,
  Layers,
  type LucideIcon,
  MapPin,
  Package,
  Plus,
  Puzzle,
  ScanLine,
  Settings,
  ShoppingBag,
  Store,
  Truck,
} from "lucide-react";
import type { RecentItem } from "@/features/catalog/public";
import { stateNames } from "@/features/orders/public";
import { priceOf, whyNotPrice } from "@/shared/lib/amounts";
import { counted, formatCount } from "@/shared/lib/format";
import { paths } from "@/shared/lib/paths";
import { may, mayOpen, type Operation } from "@/shared/lib/role";
import {
  barEntries,
  inventoryEntries,
  type NavEntry,
  ordersEntry,
  userEntries,
} from "../shell/navigation";
import type { Found, FoundPart, Home } from "./queries";

/** One line of the palette: what Enter does with it is to go to `to`. */
export type Choice = {
  key: string;
  to: string;
  title: string;
  detail: string;
  icon: LucideIcon;
  part?: FoundPart;
  acts?: readonly Act[];
};
export type Group = { title: string; choices: Choice[] };

/** An act on what was found: Alt and its letter. */
export type Act = { letter: string; label: string; to: string };

/**
 * What is looked for, and the price that is set where "@0.15" follows it. An amount that cannot be
 * read is no price yet.
 */
export function readTyped(typed: string): { text: string; price: string | null } {
  const [text = "", amount] = typed.split("@", 2).map((part) => part.trim());
  if (amount === undefined) return { text, price: null };
  return { text, price: amount === "" || whyNotPrice(amount) ? null : priceOf(amount) };
}

const acts: readonly (Omit<Choice, "key"> & { needs: Operation })[] = [
  {
    title: "New batch",
    detail: "act",
    icon: Plus,
    to: `${paths.batches}?new=1`,
    needs: "write batches",
  },
  {
    title: "New bins by pattern",
    detail: "act",
    icon: Plus,
    to: `${paths.locations}?pattern=1`,
    needs: "write inventoryLocations/pattern",
  },
  {
    title: "Import a store file",
    detail: "act",
    icon: FileUp,
    to: `${paths.inventory}?import=1`,
    needs: "write inventoryItems/sync",
  },
  {
    title: "Add a set",
    detail: "act",
    icon: Plus,
    to: `${paths.sets}?add=1`,
    needs: "write userSets",
  },
];

const morePages: readonly NavEntry[] = [
  { label: "Reports", to: paths.reports },
  { label: "Store: listings and syncs", to: paths.store },
  { label: "Shelf map", to: `${paths.locations}?view=map` },
];

const isPage = (entry: (typeof userEntries)[number]): entry is NavEntry =>
  "to" in entry && !entry.disabled;

/** By the path of a page. */
const icons: Record<string, LucideIcon> = {
  [paths.home]: House,
  [paths.catalog]: BookOpen,
  [paths.stow]: ScanLine,
  [paths.batches]: Layers,
  [paths.buyLego]: Gavel,
  [paths.sets]: Puzzle,
  [paths.inventory]: Boxes,
  [paths.locations]: MapPin,
  [paths.sources]: Truck,
  [paths.orders]: ShoppingBag,
  [paths.reports]: ChartColumn,
  [paths.store]: Store,
  [paths.profile]: CircleUser,
  [paths.settings]: Settings,
};

const iconOf = (to: string): LucideIcon => icons[to.split("?")[0] ?? ""] ?? Boxes;

const pages: readonly Omit<Choice, "key">[] = [
  ...barEntries,
  ...inventoryEntries,
  ordersEntry,
  ...morePages,
  ...userEntries.filter(isPage),
].map(({ label, to }) => ({ title: label, detail: "page", icon: iconOf(to), to }));

/** Those of the person's role. */
const actsHere = () => acts.filter(({ needs }) => may(needs));
const pagesHere = () => pages.filter(({ to }) => mayOpen(to));

const fits = (title: string, text: string) =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => title.toLowerCase().includes(word));

/** The address that shows a part: its rows in stock, else the item in the catalogue. */
export function addressOf(part: FoundPart): string {
  if (part.lot_id !== null) return `${paths.inventory}?lot=${part.lot_id}`;
  if (part.row_id !== null) return `${paths.inventory}?item=${part.row_id}`;
  return catalogAddress(part);
}

const itemKey = (part: FoundPart) => encodeURIComponent(`${part.item_type}:${part.item_number}`);
const catalogAddress = (part: FoundPart) => `${paths.catalog}?item=${itemKey(part)}`;

/** What can be done with a part from here, beside opening it. */
function actsOf(part: FoundPart): Act[] {
  const found: Act[] = [];
  const bin = part.bins[0]?.location_id;
  if (part.item_id !== null) {
    found.push({ letter: "A", label: "Add", to: `${paths.stow}?item=${itemKey(part)}` });
  }
  if (part.row_id !== null) {
    found.push(
      { letter: "M", label: "Move", to: `${paths.inventory}?move=${part.row_id}` },
      { letter: "P", label: "Price", to: `${paths.inventory}?price=${part.row_id}` },
    );
  }
  if (bin) found.push({ letter: "C", label: "Count", to: `${paths.inventory}?count=${bin}` });
  if (part.item_id !== null && part.pieces > 0) {
    found.push({ letter: "I", label: "Catalogue", to: catalogAddress(part) });
  }
  return found;
}

export const binsOf = (part: FoundPart): string =>
  [
    ...part.bins.map((bin) => bin.name || "no bin"),
    ...(part.more_bins ? [`${part.more_bins} more`] : []),
  ].join(", ");

export const nameOfPart = (part: FoundPart): string =>
  [part.item_name || part.item_number || "(no number)", part.color_name].filter(Boolean).join(", ");

const MOST_NEXT = 4;
const MOST_LAST = 3;

/** Before anything is typed: what waits, what was worked on last, and where one may go. */
export function groupsAtRest(
  home: Pick<Home, "last_added" | "waiting"> | undefined,
  looked: readonly RecentItem[],
): Group[] {
  const last = home?.last_added;
  const lately = [
    ...(last
      ? [
          {
            to: `${paths.stow}?batch=${last.batch_id}`,
            title: `Continue sorting ${last.batch_name}`,
            detail: `last added: ${last.item_name || last.item_number}`,
            icon: ScanLine,
          },
        ]
      : []),
    ...looked.slice(0, MOST_LAST).map(({ type, number, name }) => ({
      to: `${paths.catalog}?item=${encodeURIComponent(`${type}:${number}`)}`,
      title: name || number,
      detail: `${number}, last viewed`,
      icon: BookOpen,
    })),
  ];
  const next = (home?.waiting ?? []).slice(0, MOST_NEXT).map((line) => ({
    to: line.to,
    title: line.title,
    detail: line.note,
    icon: iconOf(line.to),
  }));
  return [
    group("Lately", lately),
    group("Next", next),
    group("Do", actsHere()),
    group("Go to", pagesHere()),
  ].filter(({ choices }) => choices.length > 0);
}

/** The lines for what was found, in groups. */
export function groupsOf(text: string, found: Found | undefined): Group[] {
  const groups = [
    group("Parts", found?.parts.map(partChoice) ?? []),
    group("Elsewhere", found ? elsewhere(found) : []),
    group(
      "Pages and acts",
      [...actsHere(), ...pagesHere()].filter(({ title }) => fits(title, text)).slice(0, 4),
    ),
  ];
  return groups.filter(({ choices }) => choices.length > 0);
}

const group = (title: string, choices: readonly Omit<Choice, "key">[]): Group => ({
  title,
  choices: choices.map((choice) => ({ ...choice, key: `${choice.to} ${choice.title}` })),
});

const partChoice = (part: FoundPart): Omit<Choice, "key"> => ({
  to: addressOf(part),
  title: nameOfPart(part),
  detail: part.pieces > 0 ? binsOf(part) : "not in stock",
  icon: Package,
  part,
  acts: actsOf(part),
});

/** The bins of the best part, but those that were found by their name. */
function binsOfBest({ parts, locations }: Found): Omit<Choice, "key">[] {
  const [best] = parts;
  const named = new Set(locations.map(({ id }) => id));
  return (best?.bins ?? []).flatMap(({ location_id: id, name, pieces }) =>
    id === null || named.has(id)
      ? []
      : [
          {
            to: `${paths.locations}?location=${id}`,
            title: name,
            detail: `bin with ${counted(pieces, "piece")} of it`,
            icon: MapPin,
            acts: binActs(id),
          },
        ],
  );
}

const binActs = (id: number): Act[] => [
  { letter: "L", label: "Label", to: `${paths.locations}?label=${id}` },
  { letter: "C", label: "Count", to: `${paths.inventory}?count=${id}` },
];

function elsewhere(found: Found): Omit<Choice, "key">[] {
  return [
    ...binsOfBest(found),
    ...found.orders.map(({ id, number, state, buyer }) => ({
      to: `${paths.orders}?order=${id}`,
      title: `Order ${number}`,
      detail: [stateNames[state].toLowerCase(), buyer].filter(Boolean).join(", "),
      icon: ShoppingBag,
    })),
    ...found.locations.map(({ id, name, pieces, most_pieces }) => ({
      to: `${paths.locations}?location=${id}`,
      title: name,
      detail: `bin with ${counted(pieces, "piece")}${
        most_pieces === null
          ? ""
          : `, room for ${formatCount(Math.max(0, most_pieces - pieces))} more`
      }`,
      icon: MapPin,
      acts: binActs(id),
    })),
    ...found.batches.map(({ id, name, is_archived }) => ({
      to: `${paths.batches}?batch=${id}`,
      title: name,
      detail: is_archived ? "archived batch" : "batch",
      icon: Layers,
    })),
    ...found.sets.map(({ id, number, name, lacks }) => ({
      to: `${paths.sets}?set=${id}`,
      title: `${number} ${name}`.trim(),
      detail: lacks > 0 ? `set that lacks ${formatCount(lacks)} of it` : "one of your sets",
      icon: Puzzle,
    })),
    ...found.sources.map(({ id, name }) => ({
      to: `${paths.sources}?source=${id}`,
      title: name,
      detail: "source",
      icon: Truck,
    })),
  ];
}
