/**
 * The page's side of the service worker: the app opens without a network, and a new version is
 * offered. The worker knows files and pictures, and nothing of a person.
 */
import { exchange } from "@/shared/api/transport";
import { log } from "@/shared/lib/log";
import { offerNewVersion } from "@/shared/lib/newVersion";
import { workerUrl } from "@/shared/lib/pageMeta";
import { onPersonForgotten } from "@/shared/lib/person";
import { problemText } from "@/shared/lib/problem";

/** A page may stay open for days. */
const LOOK_EVERY_MS = 3_600_000;
/** What the worker fetches does not delay the page. */
const AFTER_THE_PAGE_MS = 2_000;
const MANIFEST = "/static/manifest.json";
const PICTURES = "pictures";

export function followWorker(): void {
  if (!navigator.serviceWorker) return; // not over plain HTTP, and not in every browser
  const url = workerUrl();
  const begin = () => (url ? register(url) : removeWorkers());
  window.addEventListener("load", () => {
    setTimeout(
      () => begin().catch((error) => log.warn(`The service worker: ${problemText(error)}`)),
      AFTER_THE_PAGE_MS,
    );
  });
  // They show what the person looked at.
  onPersonForgotten(() => void window.caches?.delete(PICTURES));
}

async function register(url: string): Promise<void> {
  const registration = await navigator.serviceWorker.register(url, { scope: "/" });
  const look = () => {
    const { waiting, active } = registration;
    if (waiting && active) void takeOver(waiting);
  };
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", look);
  });
  look();
  setInterval(() => void registration.update().catch(() => undefined), LOOK_EVERY_MS);
}

/** A page that is of the new version already needs no reload: it was loaded since. */
async function takeOver(waiting: ServiceWorker): Promise<void> {
  const takeTurn = () => waiting.postMessage({ type: "SKIP_WAITING" });
  if (await isThisVersion()) {
    takeTurn();
    return;
  }
  offerNewVersion(() => {
    const reload = () => window.location.reload();
    navigator.serviceWorker.addEventListener("controllerchange", reload, { once: true });
    takeTurn();
  });
}

/** Whether this page has the scripts that the server has now. */
async function isThisVersion(): Promise<boolean> {
  const init = { method: "GET", headers: {}, cache: "no-cache" } as const;
  try {
    const { js } = await exchange(
      { address: MANIFEST, init, timeoutMs: 10_000 },
      async (response): Promise<{ js: string[] }> => response.json(),
    );
    return js.every((file) => document.querySelector(`script[src="/static/${file}"]`) !== null);
  } catch {
    return false;
  }
}

/** A build without a worker: one of an earlier build must not answer in its place. */
async function removeWorkers(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  if (registrations.length === 0) return;
  await Promise.all(registrations.map((one) => one.unregister()));
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
}
