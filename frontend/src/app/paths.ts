/** Every address of the product, once, and the tab title that each one has. */

export const paths = {
  welcome: "/",
  signIn: "/signin",
  signUp: "/signup",
  privacy: "/privacy",
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

const publicTitles: Record<string, string> = {
  [paths.welcome]: "Welcome",
  [paths.signIn]: "Sign In",
  [paths.signUp]: "Sign Up",
  [paths.privacy]: "Privacy Policy",
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
