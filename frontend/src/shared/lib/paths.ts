/** Every address of the product, once, what links set in it, and the tab title that it has. */

export const paths = {
  welcome: "/",
  signIn: "/signin",
  signUp: "/signup",
  privacy: "/privacy",
  join: "/join",
  app: "/app",
  home: "/app/home",
  reports: "/app/reports",
  catalog: "/app/catalog",
  stow: "/app/stow-inventory",
  batches: "/app/batches",
  buyLego: "/app/buy-lego",
  sets: "/app/userSets",
  inventory: "/app/inventory",
  unknownItems: "/app/unknown-items",
  locations: "/app/inventory-locations",
  sources: "/app/sources",
  store: "/app/store",
  orders: "/app/orders",
  profile: "/app/profile",
  settings: "/app/settings",
  apiTesting: "/app/api-testing",
} as const;

/** The parameters that links set, by page. What a page sets for itself is its own. */
type Linked = {
  signIn: "reset";
  catalog: "item" | "search" | "type";
  stow: "batch" | "item";
  batches:
    | "batch"
    | "import"
    | "listing"
    | "new"
    | "source"
    | "storeSync"
    | "sync"
    | "walk"
    | "work";
  sets: "build";
  inventory:
    | FilterOfStock
    | "acts"
    | "bin"
    | "count"
    | "import"
    | "item"
    | "listing"
    | "sync"
    | "walk";
  locations: "location" | "pattern";
  sources: "source";
  store: "storeSync" | "tab";
  orders: "file" | "marketplace" | "order" | "walk";
  settings: "connect" | "restore";
};
type FilterOfStock =
  | "batch"
  | "for_sale_on"
  | "is_known"
  | "ordering"
  | "search"
  | "show_zero_quantity"
  | "since_sync";

/** The address of a page that says what is shown there; what is null or undefined is left out. */
export function pathTo<Page extends keyof Linked>(
  page: Page,
  shown: { readonly [Name in Linked[Page]]?: string | number | null | undefined },
  part?: string,
): string {
  const said = Object.entries<string | number | null | undefined>(shown).flatMap(([name, value]) =>
    // The colon of "PART:3001" may stand as it is.
    value == null ? [] : `${name}=${encodeURIComponent(value).replaceAll("%3A", ":")}`,
  );
  return paths[page] + (said.length > 0 ? `?${said.join("&")}` : "") + (part ? `#${part}` : "");
}

const publicTitles: Record<string, string> = {
  [paths.welcome]: "Welcome",
  [paths.signIn]: "Sign In",
  [paths.signUp]: "Sign Up",
  [paths.privacy]: "Privacy Policy",
  [paths.join]: "Join a Store",
};

/** The tab title of a path: by name on the public side, by its last segment under /app. */
export function titleOf(pathname: string, product: string): string {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, "") : pathname;
  const name = publicTitles[path] ?? (path.startsWith("/app/") ? nameOfSegment(path) : "");
  return name ? `${name} | ${product}` : product;
}

function nameOfSegment(path: string): string {
  const segment = path.slice(path.lastIndexOf("/") + 1);
  if (segment === "userSets") return "Sets";
  const words = segment.split("-").filter(Boolean);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
}
