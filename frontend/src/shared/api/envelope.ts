/** The envelope around every answer, and the form in which callers get it. */
import { isRecord } from "@/shared/lib/records";
import { ApiError, DEFAULT_CODE, DEFAULT_MESSAGE, failureOfStatus } from "./errors";
import { readRetryAfter } from "./retry";
import { loaded } from "./transport";

export type Pagination = {
  page: number;
  page_size: number;
  total_items: number;
  total_pages: number;
};

/** A successful answer. `data` is an array, also for one object. */
export type Answer<Row> = {
  data: Row[];
  pagination: Pagination | null;
  message: string | null;
  status: number;
};

type EnvelopeError = { code?: string; message?: string; fields?: Record<string, string[]> };
export type Envelope = {
  success?: boolean;
  data?: unknown;
  message?: string;
  error?: EnvelopeError;
  meta?: { http_status_code?: number; pagination?: Pagination; error?: EnvelopeError };
};

/** The parsed body if it is an envelope (an object that says `success`), else null. */
export async function readEnvelope(response: Response): Promise<Envelope | null> {
  try {
    const body = JSON.parse(await loaded(response.text()));
    return isRecord(body) && "success" in body ? body : null; // callers check what they use
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown; // the connection broke while the body was loading
  }
}

/** How many rows a list has, on all its pages. */
export function totalOf({
  data,
  pagination,
}: Pick<Answer<unknown>, "data" | "pagination">): number {
  return pagination?.total_items ?? data.length;
}

/** The row of an answer that carries one object. */
export function one<Row>(answer: Answer<Row>): Row {
  const row = answer.data[0];
  if (row === undefined) throw new ApiError(DEFAULT_CODE, DEFAULT_MESSAGE);
  return row;
}

/** Reads the answer, or throws the ApiError in it. */
export async function readAnswer<Row>(response: Response): Promise<Answer<Row>> {
  const { status } = response;
  if (status === 204) return { data: [], pagination: null, message: null, status };
  const envelope = await readEnvelope(response);
  if (response.ok && envelope?.success === true) {
    const data = (Array.isArray(envelope.data) ? envelope.data : []) as Row[];
    const { pagination = null } = envelope.meta ?? {};
    return { data, pagination, message: envelope.message ?? null, status };
  }
  const error = envelope?.meta?.error ?? envelope?.error ?? {};
  throw new ApiError(error.code ?? DEFAULT_CODE, error.message ?? DEFAULT_MESSAGE, {
    status,
    failure: failureOfStatus(status),
    fields: error.fields,
    data: Array.isArray(envelope?.data) ? envelope.data : [],
    retryAfterMs: readRetryAfter(response.headers.get("Retry-After"), Date.now()),
  });
}
