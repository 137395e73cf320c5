/**
 * The network in tests: answers by method and path, and a record of requests. The API client is
 * real.
 */

import { noteReached } from "@/shared/lib/line";

export type Sent = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  /** Parsed JSON, a FormData as it is, or null. */
  body: unknown;
  at: number;
};

type Reply = Response | Promise<Response>;
type Responder = (sent: Sent, count: number) => Reply;

const responders = new Map<string, Responder>();
let log: Sent[] = [];

/** The answer to a request that created this row. */
export const created = (row: unknown): Response =>
  json(201, { success: true, data: [row], meta: { http_status_code: 201 } });

/** A successful envelope. */
export function ok(
  data: unknown[] = [],
  extra: { pagination?: object; message?: string } = {},
): Response {
  const { pagination, message } = extra;
  return json(200, { success: true, data, message, meta: { http_status_code: 200, pagination } });
}

/** A list answer with its pagination. */
export function page(rows: unknown[], total = rows.length, size = 25): Response {
  const pagination = {
    page: 1,
    page_size: size,
    total_items: total,
    total_pages: Math.ceil(total / size),
  };
  return ok(rows, { pagination });
}

/** An envelope with a refusal. */
export function refusal(
  status: number,
  code: string,
  message: string,
  extra: {
    fields?: Record<string, string[]>;
    data?: unknown[];
    headers?: Record<string, string>;
  } = {},
): Response {
  const error = { code, message, fields: extra.fields };
  const body = {
    success: false,
    data: extra.data ?? [],
    error: { code, message },
    meta: { http_status_code: status, error },
  };
  return json(status, body, extra.headers);
}

export function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  const all = { "Content-Type": "application/json", ...headers };
  return new Response(JSON.stringify(body), { status, headers: all });
}

/** Sets the answer to "GET /api/batches". `count` is the number of earlier requests. */
export function answer(route: string, responder: Responder): void {
  responders.set(route, responder);
}

/** The requests in order, of all routes or of one. */
export function sent(route?: string): Sent[] {
  return route ? log.filter(({ method, path }) => `${method} ${path}` === route) : log;
}

/** Removes all answers: call it in beforeEach. */
export function installServer(): void {
  noteReached();
  responders.clear();
  log = [];
  const mine = log;
  globalThis.XMLHttpRequest = RequestByFetch as unknown as typeof XMLHttpRequest; // the part that we use
  globalThis.fetch = async (input, init = {}) => {
    const url = new URL(String(input));
    const body = typeof init.body === "string" ? JSON.parse(init.body) : (init.body ?? null);
    const request: Sent = {
      method: init.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      headers: { ...(init.headers as Record<string, string>) },
      body,
      at: Date.now(),
    };
    const route = `${request.method} ${request.path}`;
    // Its answer is no part of a test, unless that says so.
    if (request.path === "/healthz" && !responders.has(route)) return json(200, {});
    const count = sent(route).length;
    log.push(request);
    const responder = responders.get(route);
    if (!responder) throw new Error(`The test gives no answer for ${route}`);
    const aborted = new Promise<never>((_, reject) => {
      // What an earlier test left open is not ended: it would be tried again in this one.
      init.signal?.addEventListener("abort", () => log === mine && reject(init.signal?.reason));
    });
    return Promise.race([responder(request, count), aborted]);
  };
}

/** Uploads use XMLHttpRequest, which reports progress. Here they get the same answers. */
class RequestByFetch {
  status = 0;
  statusText = "";
  responseText = "";
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null } = {
    onprogress: null,
  };
  private method = "GET";
  private address = "";
  private readonly headers: Record<string, string> = {};

  open(method: string, address: string) {
    this.method = method;
    this.address = address;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  getResponseHeader() {
    return null;
  }
  abort() {}
  send(body: BodyInit | null) {
    this.upload.onprogress?.({ loaded: 1, total: 1 });
    fetch(this.address, { method: this.method, headers: this.headers, body })
      .then(async (response) => {
        this.status = response.status;
        this.responseText = await response.text();
        this.onload?.();
      })
      .catch(() => this.onerror?.());
  }
}

/** An answer that never comes. */
export const never = (): Promise<Response> => new Promise(() => undefined);

/** What fetch throws when the line is down. */
export const offline = (): Promise<Response> => Promise.reject(new TypeError("Failed to fetch"));

/** The server is stopped, or the line to it is down: nothing reaches it until `restore`. */
export function cutLine(): void {
  const before = globalThis.fetch;
  globalThis.fetch = offline;
  restore = () => {
    globalThis.fetch = before;
  };
}
let restore = (): void => undefined;
export const restoreLine = (): void => restore();
