/**
 * Values that the server's template passes in meta tags. An inline script would need an exception
 * in the Content-Security-Policy.
 */

function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
}

/** The product's name, one setting of the server (PRODUCT_NAME). */
export const productName = (): string => meta("product-name") || "Brickstow";

/** The version that the server runs; empty where the page was not served by it. */
export const productVersion = (): string => meta("product-version");

/** `{host}` of the specification: the page's own origin unless the server names another. */
export const apiHost = (): string => meta("api-host") || window.location.origin;

export const isDemoMode = (): boolean => meta("demo-mode") === "true";

/** Whether a recogniser outside of this server is asked about pictures, too. */
export const hasOutsideRecogniser = (): boolean => meta("outside-recogniser") === "true";

/** The service worker of this build; empty where it has none (development). */
export const workerUrl = (): string => meta("service-worker");

/** Whether this is the page that the service worker keeps, in place of the server's. */
export const isKeptPage = (): boolean => meta("kept-page") === "true";

export const cspNonce = (): string => meta("csp-nonce");

/** Other origins from which pictures may be loaded: the server's IMAGE_HOSTS. */
export const imageHosts = (): string[] => meta("image-hosts").split(/\s+/).filter(Boolean);
