/**
 * The service worker: the app opens without a network. It keeps files of the build and pictures of
 * parts, which are nobody's; answers of the API never pass through it.
 */
import { clientsClaim } from "workbox-core";
import { ExpirationPlugin } from "workbox-expiration";
import { matchPrecache, type PrecacheEntry, precacheAndRoute } from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { CacheFirst, NetworkOnly } from "workbox-strategies";

declare const self: Window & {
  __WB_MANIFEST: PrecacheEntry[];
  skipWaiting: () => Promise<void>;
};

/** The page as it was when this version was installed. No address of the router has this query. */
const SHELL = "/app?shell";
/** A line that answers more slowly than this is as good as none. */
const PATIENCE_SECONDS = 4;
const MOST_FILES = 60;
const MOST_PICTURES = 2_000;

precacheAndRoute(self.__WB_MANIFEST);
clientsClaim();

// The server's page first: the version that it has, with its own policy.
const page = new NetworkOnly({
  networkTimeoutSeconds: PATIENCE_SECONDS,
  plugins: [
    {
      // The proxy answers in place of the server.
      fetchDidSucceed: async ({ response }) => {
        if (response.status === 502 || response.status === 504) throw new Error("unreachable");
        return response;
      },
      handlerDidError: () => matchPrecache(SHELL),
    },
  ],
});
registerRoute(
  new NavigationRoute(page, {
    denylist: [/^\/(api|admin|help|static|media|pictures|healthz|readyz)(\/|$)/],
  }),
);

/** Names of these change with their content. */
const kept = (cacheName: string, maxEntries: number) =>
  new CacheFirst({
    cacheName,
    plugins: [new ExpirationPlugin({ maxEntries, purgeOnQuotaError: true })],
  });

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && /^\/static\/[^/]+\.[0-9a-f]{12}\./.test(url.pathname),
  kept("files", MOST_FILES),
);
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith("/pictures/"),
  kept("pictures", MOST_PICTURES),
);

self.addEventListener("message", ({ data }) => {
  if (data?.type === "SKIP_WAITING") void self.skipWaiting();
});
