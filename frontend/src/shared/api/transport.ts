/** Sends one request with its time limit. The only module that calls fetch. */
import { timeoutError, timeoutText, transportError } from "./errors";

export const REQUEST_TIMEOUT_MS = 30000;

export type Sent = {
  address: string;
  init: RequestInit & { method: string; headers: Record<string, string> };
  timeoutMs: number;
  /** The caller aborted the request: the error is thrown unchanged and not retried. */
  signal?: AbortSignal;
  onUploadProgress?: (sent: number, total: number) => void;
};

/**
 * Sends, and reads with `read` inside the same time limit. Throws errors of the catalogue; what
 * `read` itself throws is thrown unchanged, whatever its text.
 */
export async function exchange<Result>(
  { address, init, timeoutMs, signal, onUploadProgress }: Sent,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const stop = () => limit.abort(signal?.reason);
  signal?.addEventListener("abort", stop);
  const timer = setTimeout(() => limit.abort(new Error(timeoutText(timeoutMs))), timeoutMs);
  try {
    // The signal is not enough: a stalled body or a test double may ignore it, and must end in time
    // as well.
    const aborted = new Promise<never>((_, reject) => {
      limit.signal.addEventListener("abort", () => reject(limit.signal.reason));
    });
    const send = onUploadProgress
      ? upload(address, { ...init, signal: limit.signal }, onUploadProgress)
      : fetch(address, { ...init, signal: limit.signal });
    return await Promise.race([onTheWay(send, timeoutMs).then(read), aborted]);
  } catch (thrown) {
    if (signal?.aborted) throw signal.reason;
    throw limit.signal.aborted ? timeoutError(timeoutMs, thrown) : thrown;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** The body of an answer, such as `response.text()`: the connection may break while it loads. */
export const loaded = <Body>(body: Promise<Body>): Promise<Body> => onTheWay(body);

const onTheWay = <Result>(coming: Promise<Result>, timeoutMs = REQUEST_TIMEOUT_MS) =>
  coming.catch((thrown: unknown): never => {
    throw transportError(thrown, timeoutMs);
  });

/** The same as fetch with XMLHttpRequest, because fetch does not report upload progress. */
function upload(
  address: string,
  init: Sent["init"] & { signal: AbortSignal },
  onProgress: (sent: number, total: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(init.method, address);
    for (const [name, value] of Object.entries(init.headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onProgress(event.loaded, event.total);
    request.onerror = () => reject(new TypeError("Failed to fetch"));
    request.onload = () => {
      const headers = new Headers();
      const retryAfter = request.getResponseHeader("Retry-After");
      if (retryAfter) headers.set("Retry-After", retryAfter);
      const { status, statusText } = request;
      resolve(
        new Response(status === 204 ? null : request.responseText, { status, statusText, headers }),
      );
    };
    init.signal.addEventListener("abort", () => request.abort());
    request.send(init.body as XMLHttpRequestBodyInit);
  });
}
