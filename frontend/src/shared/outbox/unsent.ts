/** A request of a person that the server has not answered yet, or has refused: plain data. */
import type { QueryKey } from "@tanstack/react-query";
import { fillPath } from "@/shared/api/address";
import { sentOfEdit, type Versioned } from "@/shared/api/bulk";
import { ApiError } from "@/shared/api/errors";
import { type FormValue, formOf } from "@/shared/api/form";
import type { CallOf, PathOf } from "@/shared/api/wire";
import { counted } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { memberOf, rowsWith } from "@/shared/lib/records";
import type { Tag } from "@/shared/lib/tags";

export type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/** What is sent. A form is kept as its fields; files stay files. */
export type Wire = {
  method: Method;
  path: string;
  body?: object;
  form?: readonly (readonly [name: string, value: FormDataEntryValue])[];
  timeoutMs?: number;
};

export type NewRequest = Wire & {
  /** The client that hears of its answer, and that knows what `about` is. */
  kind: string;
  /** The rows that it concerns. Requests of one row are sent one after the other. */
  rows: readonly string[];
  /** What it does, for people: "Pick 3 pieces from A-1". */
  words: string;
  /** The address of the page, and of the row on it. */
  to: string;
  /** What its answer makes stale. */
  stale?: readonly (Tag | QueryKey)[];
  /** What its client needs to show it. */
  about?: unknown;
  /** It is not sent while an earlier request of its first row stands refused. */
  needsEarlier?: boolean;
  /** It is not sent before this time has passed: a quick change of the same may replace it. */
  pauseMs?: number;
  /**
   * The fields of its row as the person saw them. Where the row was changed elsewhere and these are
   * as they were, it is sent once more, on the row's newest state.
   */
  seen?: Readonly<Record<string, unknown>>;
  /** Its Idempotency-Key, where another request of the client names it. */
  key?: string;
};

export type Refusal = {
  code: string;
  message: string;
  status: number | null;
  fields: Record<string, string[]>;
  data: unknown[];
};

export type Unsent = NewRequest & {
  key: string;
  person: number;
  /** In milliseconds. */
  since: number;
  /** Its place in the order of the acts. */
  place: number;
  /** How often it was sent on a newer state of its row. */
  rebases?: number;
  /** It was on its way: the server may have carried it out. */
  isStarted: boolean;
  /** What the server failed with at the last attempt. */
  why: string | null;
  refusal: Refusal | null;
  /** A page shows the refusal in its place. */
  isShown?: boolean;
};

/** The browser has no room to keep a request: nothing was done. */
export class NotKept extends Error {
  override readonly name = "NotKept";
  constructor(words: string, cause: unknown) {
    super(`${words}: not done, because this browser has no room to keep it until it is sent.`, {
      cause,
    });
  }
}

export type WriteVerb = "post" | "put" | "patch" | "delete";

/** What a call to the API sends, typed by the schema. */
export function wireOf<V extends WriteVerb, Path extends PathOf<V>>(
  verb: V,
  path: Path,
  call: CallOf<V, Path>,
): Wire {
  const {
    path: ids = {},
    body,
    form,
  } = call as {
    path?: Record<string, string | number>;
    body?: object;
    form?: Record<string, FormValue>;
  };
  return {
    method: verb.toUpperCase() as Method, // of these verbs
    path: fillPath(path, ids),
    ...(body && { body }),
    ...(form && { form: [...formOf(form).entries()] }),
  };
}

/** Whether it waits until the person has decided on one that was refused before it. */
export const isHeld = (
  { needsEarlier, place, rows }: Unsent,
  refused: readonly Unsent[],
): boolean =>
  needsEarlier === true && refused.some((one) => one.place < place && one.rows[0] === rows[0]);

/**
 * What a table sends of a change of one row. The server refuses it with CONFLICT where the row was
 * changed since the page has seen it.
 */
export const savesRow =
  <Path extends PathOf<"patch">>(path: Path, stale: NewRequest["stale"]) =>
  (row: Versioned, changes: object) => ({
    ...wireOf("patch", path, sentOfEdit({ row, changes }) as unknown as CallOf<"patch", Path>),
    ...(stale && { stale }),
  });

export function refusalOf(error: unknown): Refusal {
  const { code, status, data, fields } = (error ?? {}) as Partial<ApiError>;
  return {
    code: code ?? "NOT_SENT",
    message: problemText(error),
    status: status ?? null,
    fields: fields ?? {},
    data: data ?? [],
  };
}

/** The code of a refusal of some rows, while the others are done. */
export const PARTLY = "PARTLY_REFUSED";
const MOST_NAMED = 3;

type RefusedRow = { name?: string; reason?: string; message?: string | null };

/** What an answer says of rows that it refuses; null where it refuses none. */
export function refusedRows(data: readonly unknown[]): Refusal | null {
  const rows = data.flatMap((row): RefusedRow[] => {
    if (memberOf(row, "ok") === false) return [row as RefusedRow]; // as bulk requests answer
    return rowsWith<RefusedRow>(memberOf(row, "failed"), "reason");
  });
  if (rows.length === 0) return null;
  const words = rows
    .slice(0, MOST_NAMED)
    .map(({ name, reason, message }) => [name, reason ?? message].filter(Boolean).join(": "));
  const more = rows.length - words.length;
  const message = [...words, ...(more > 0 ? [`and ${counted(more, "more", "more")}`] : [])];
  return { code: PARTLY, message: message.join(" "), status: null, fields: {}, data: [...data] };
}

/** The refusal as the error that it was. */
export const errorOf = ({ code, message, status, fields, data }: Refusal): ApiError =>
  new ApiError(code, message, { ...(status !== null && { status }), fields, data });
