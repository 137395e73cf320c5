/** A request of a person that the server has not answered yet, or has refused: plain data. */
import type { QueryKey } from "@tanstack/react-query";
import { fillPath } from "@/shared/api/address";
import { sentOfEdit, type Versioned } from "@/shared/api/bulk";
import { ApiError } from "@/shared/api/errors";
import { type FormValue, formOf } from "@/shared/api/form";
import type { CallOf, PathOf } from "@/shared/api/wire";
import { counted } from "@/shared/lib/format";
import type { Seat } from "@/shared/lib/person";
import { problemText } from "@/shared/lib/problem";
import { isRecord, memberOf, rowsWith } from "@/shared/lib/records";
import type { Tag } from "@/shared/lib/tags";

export type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/** An id that is known once an earlier request is answered: that of the row which it made. */
export type Later = { readonly idOf: string };

/** A call to the API in which ids may come later. */
type WithLater<Call> = Call extends number
  ? Call | Later
  : Call extends object
    ? { [Name in keyof Call]: WithLater<Call[Name]> }
    : Call;

/** What is sent. A form is kept as its fields; files stay files. */
export type Wire = {
  /** Null: what is sent is worked out by its client when its turn comes (`outbox.planBy`). */
  method: Method | null;
  path: string;
  /** The ids of the path, while one of them comes later. */
  ids?: Readonly<Record<string, string | number | Later>>;
  /** The names of the requests whose answers it needs, and that are not answered. */
  needs?: readonly string[];
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
  /** It is done where its row is not there any more. */
  isDoneIfGone?: boolean;
  /** Its Idempotency-Key, where the client names it. */
  key?: string;
  /** Under which other requests take the id from its answer. It stays when it is tried again. */
  name?: string;
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
  person: Seat;
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
  call: CallOf<V, Path> | WithLater<CallOf<V, Path>>,
): Wire {
  const {
    path: ids = {},
    body,
    form,
  } = call as {
    path?: NonNullable<Wire["ids"]>;
    body?: object;
    form?: Record<string, FormValue>;
  };
  const needs = namesIn([ids, body]);
  return {
    method: verb.toUpperCase() as Method, // of these verbs
    ...filled(path, ids),
    ...(body && { body }),
    ...(form && { form: [...formOf(form).entries()] }),
    ...(needs.length > 0 && { needs }),
  };
}

const isLater = (value: unknown): value is Later => typeof memberOf(value, "idOf") === "string";

const namesIn = (value: unknown): string[] =>
  isLater(value) ? [value.idOf] : isRecord(value) ? Object.values(value).flatMap(namesIn) : [];

const filled = (path: string, ids: NonNullable<Wire["ids"]>): Pick<Wire, "path" | "ids"> =>
  Object.values(ids).some(isLater)
    ? { path, ids }
    : { path: fillPath(path, ids as Record<string, string | number>) }; // none comes later

function withId<Value>(value: Value, name: string, id: number): Value {
  if (isLater(value)) return (value.idOf === name ? id : value) as Value; // where it stood
  if (Array.isArray(value)) return value.map((one) => withId(one, name, id)) as Value;
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, withId(one, name, id)]);
  return Object.fromEntries(entries) as Value;
}

/** The request with the id from the answer to another one; itself where it does not need it. */
export function withAnswer(
  request: Unsent,
  { name }: Pick<Unsent, "name">,
  data: readonly unknown[],
): Unsent {
  const id = memberOf(data[0], "id");
  if (name === undefined || !request.needs?.includes(name) || typeof id !== "number")
    return request;
  const { ids = {}, body, about, needs, path, ...rest } = request;
  return {
    ...rest,
    about: withId(about, name, id),
    ...(request.ids ? filled(path, withId(ids, name, id)) : { path }),
    ...(body && { body: withId(body, name, id) }),
    needs: needs.filter((one) => one !== name),
  };
}

/** Whether it waits until the person has decided on one that was refused before it. */
export const isHeld = (
  { needsEarlier, needs, place, rows }: Unsent,
  refused: readonly Unsent[],
): boolean =>
  refused.some(
    (one) =>
      (needsEarlier === true && one.place < place && one.rows[0] === rows[0]) ||
      (one.name !== undefined && needs?.includes(one.name)),
  );

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

type RefusedRow = { name?: string; number?: string; reason?: string; message?: string | null };

/** What an answer says of rows that it refuses; null where it refuses none. */
export function refusedRows(data: readonly unknown[]): Refusal | null {
  const rows = data.flatMap((row): RefusedRow[] => {
    if (memberOf(row, "ok") === false) return [row as RefusedRow]; // as bulk requests answer
    return rowsWith<RefusedRow>(memberOf(row, "failed") ?? memberOf(row, "refused"), "reason");
  });
  if (rows.length === 0) return null;
  const words = rows
    .slice(0, MOST_NAMED)
    .map(({ name, number, reason, message }) =>
      [name ?? number, reason ?? message].filter(Boolean).join(": "),
    );
  const more = rows.length - words.length;
  const message = [...words, ...(more > 0 ? [`and ${counted(more, "more", "more")}`] : [])];
  return { code: PARTLY, message: message.join(" "), status: null, fields: {}, data: [...data] };
}

/** The refusal as the error that it was. */
export const errorOf = ({ code, message, status, fields, data }: Refusal): ApiError =>
  new ApiError(code, message, { ...(status !== null && { status }), fields, data });
