/** A table of parts and its server, in memory. */

import { bulkOf } from "@/shared/api/bulk";
import { ApiError } from "@/shared/api/errors";
import { holdFor } from "@/shared/lib/person";
import { outbox } from "@/shared/outbox/theOutbox";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { pass } from "@/shared/testing/passing";
import { answer, installServer, ok, refusal, type Sent } from "@/shared/testing/server";
import type { Column, RowId } from "../../column";
import type { Desk } from "../desk";
import { TableEditor } from "../editor";
import type { BulkOutcome, BulkRequest, CellChange } from "../model";

export type Part = { id: number; name: string; qty: number; note: string; updatedAt: string };

export const qty: Column<Part> = {
  id: "qty",
  header: "Quantity",
  cell: (row) => row.qty,
  edit: {
    kind: "number",
    places: 0,
    value: (row) => String(row.qty),
    check: (text) => (/^\d+$/.test(text) ? null : "A whole number."),
    parse: (text) => ({ qty: Number(text) }),
  },
};
export const note: Column<Part> = {
  id: "note",
  header: "Note",
  cell: (row) => row.note,
  edit: { kind: "text", value: (row) => row.note, parse: (text) => ({ note: text }) },
};

type Wanted = {
  create?: object[];
  update?: (Partial<Part> & { id: number })[];
  delete?: number[];
  restore?: number[];
  atomic: boolean;
};

/** Rows that are made get a number after the first hundred. */
const MOST_PARTS = 130;

const keyOf = ({ headers }: Sent) => ({ key: headers["Idempotency-Key"] ?? "" });

/** What an act of the server becomes on the wire. */
async function replyOf(act: () => Promise<unknown[]>): Promise<Response> {
  try {
    return ok(await act());
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message, data, fields } = error;
    return refusal(status ?? 400, code, message, { data, fields });
  }
}

/** A server of parts: stores rows with versions, refuses as configured, applies each key once. */
export class Server {
  rows = new Map<number, Part>();
  saves: { row: Part; changes: Partial<Part>; key: string }[] = [];
  bulks: { request: BulkRequest<Part>; key: string }[] = [];
  refuse = (_row: Part): string | null => null;
  /** Milliseconds of a call, half of them in each direction. */
  takes = (): number => 0;
  /** Lost calls: the request or its answer does not arrive. */
  lost: ("request" | "answer" | "session")[] = [];
  /** Deleted rows with their fields. */
  private readonly deleted = new Map<number, Part>();
  private readonly answers = new Map<string, unknown>();
  private version = 0;
  private lastId = 100;

  constructor(count: number) {
    for (let id = 1; id <= count; id += 1) {
      this.rows.set(id, { id, name: `Part ${id}`, qty: 10, note: "", updatedAt: "v000" });
    }
  }

  /** Answers the requests for parts. */
  install(): void {
    installServer();
    for (let id = 1; id <= MOST_PARTS; id += 1) {
      answer(`PATCH /api/parts/${id}`, (sent) => {
        const { updatedAt, ...changes } = sent.body as Partial<Part>;
        const row = { ...this.rows.get(id), id, updatedAt } as Part;
        return replyOf(async () => [await this.save(row, changes, keyOf(sent))]);
      });
    }
    answer("POST /api/parts/bulk", (sent) => {
      const { update, delete: gone, restore, ...rest } = sent.body as Wanted;
      const request: BulkRequest<Part> = {
        ...rest,
        ...(update && {
          update: update.map(({ id, updatedAt, ...changes }) => {
            return { row: { ...this.rows.get(id), id, updatedAt } as Part, changes };
          }),
        }),
        ...(gone && { delete: gone.map((id) => ({ ...this.rows.get(id), id }) as Part) }),
        ...(restore && { restore: restore.map(String) }),
      };
      return replyOf(() => this.saveRows(request, keyOf(sent)));
    });
  }

  change(id: number, changes: Partial<Part>): Part {
    this.version += 1;
    const updatedAt = `v${String(this.version).padStart(3, "0")}`;
    const row = { ...(this.rows.get(id) as Part), ...changes, updatedAt };
    this.rows.set(id, row);
    return row;
  }

  save = async (row: Part, changes: Partial<Part>, { key }: { key: string }): Promise<Part> => {
    this.saves.push({ row, changes, key });
    return this.once(key, () => {
      const now = this.rows.get(row.id);
      if (!now)
        throw new ApiError("NOT_FOUND", "This does not exist. It may have been deleted.", {
          status: 404,
        });
      if (now.updatedAt !== row.updatedAt) {
        throw new ApiError("CONFLICT", "Changed elsewhere.", { status: 409, data: [now] });
      }
      const refusal = this.refuse({ ...now, ...changes });
      if (refusal) {
        throw new ApiError("VALIDATION_ERROR", "Not valid.", { fields: { qty: [refusal] } });
      }
      return this.change(row.id, changes);
    });
  };

  saveRows = async (
    request: BulkRequest<Part>,
    { key }: { key: string },
  ): Promise<BulkOutcome<Part>[]> => {
    this.bulks.push({ request, key });
    return this.once(key, () => this.bulk(request));
  };

  private bulk(request: BulkRequest<Part>) {
    const { create = [], update = [], delete: gone = [], restore = [], atomic } = request;
    const before = new Map(this.rows);
    const outcome = (action: BulkOutcome<Part>["action"], index: number, row: Part | null) => ({
      action,
      index,
      ok: true,
      id: row?.id ?? null,
      code: null,
      message: null,
      row,
    });
    const refused = (index: number, code: string, message: string): BulkOutcome<Part> => ({
      ...outcome("update", index, null),
      ok: false,
      code,
      message,
    });
    const outcomes: BulkOutcome<Part>[] = update.map(({ row, changes }, index) => {
      const now = this.rows.get(row.id);
      if (!now)
        return refused(index, "NOT_FOUND", "This does not exist. It may have been deleted.");
      if (now.updatedAt !== row.updatedAt) {
        return { ...refused(index, "CONFLICT", "Changed elsewhere."), row: now };
      }
      const why = this.refuse({ ...now, ...changes });
      return why
        ? refused(index, "VALIDATION_ERROR", why)
        : outcome("update", index, this.change(row.id, changes));
    });
    for (const [index, draft] of create.entries()) {
      this.lastId += 1;
      this.rows.set(this.lastId, { ...(draft as Part), id: this.lastId });
      outcomes.push(outcome("create", index, this.change(this.lastId, {})));
    }
    for (const [index, id] of restore.entries()) {
      const row = this.deleted.get(Number(id));
      if (row) this.rows.set(row.id, row);
      outcomes.push(outcome("restore", index, this.change(Number(id), {})));
    }
    for (const [index, row] of gone.entries()) {
      const there = this.rows.get(row.id);
      if (there) this.deleted.set(row.id, there);
      const isGone = this.rows.delete(row.id);
      const done = outcome("delete", index, null);
      outcomes.push(
        isGone
          ? done
          : {
              ...done,
              ok: false,
              code: "NOT_FOUND",
              message: "This does not exist. It may have been deleted.",
            },
      );
    }
    const bad = outcomes.filter(({ ok: isDone }) => !isDone);
    if (atomic && bad.length > 0) {
      this.rows = before;
      const fields = bad.map(({ index, message }) => [`update.${index}`, { qty: [message] }]);
      throw new ApiError("VALIDATION_ERROR", "Nothing was changed.", {
        status: 400,
        fields: Object.fromEntries(fields),
        data: bad.flatMap(({ row }) => row ?? []),
      });
    }
    return outcomes;
  }

  private async once<Answer>(key: string, act: () => Answer): Promise<Answer> {
    const wait = () => {
      const ms = this.takes() / 2;
      return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined;
    };
    await wait();
    const fault = this.lost.shift();
    const down = () => new TypeError("Failed to fetch");
    if (fault === "request") throw down();
    if (fault === "session") throw new ApiError("NOT_AUTHENTICATED", "No.", { status: 401 });
    if (!this.answers.has(key)) this.answers.set(key, act());
    if (fault === "answer") throw down();
    await wait();
    return this.answers.get(key) as Answer;
  }
}

export const KEY = ["catalog", "parts"] as const;

/** Whose outbox a test uses: answers may come after its end. */
let person = 1000;

export function open(count = 3, desk: Partial<Desk<Part>> = {}) {
  person += 1;
  holdFor(person);
  void outbox.open(person);
  const server = new Server(count);
  server.install();
  const queryClient = newQueryClient();
  const refetched = jest.fn(() => undefined);
  jest.spyOn(queryClient, "invalidateQueries").mockImplementation(async () => refetched());
  queryClient.setQueryData([...KEY, {}], { data: [...server.rows.values()], pagination: null });
  const editor = new TableEditor<Part>("parts");
  editor.attach({
    queryClient,
    source: { key: KEY, fetch: async () => ({ data: [], pagination: null }) },
    columns: [qty, note],
    idOf: (row) => String(row.id),
    save: ({ id, updatedAt }, changes) => ({
      method: "PATCH",
      path: `parts/${id}`,
      body: { ...changes, updatedAt },
    }),
    saveRows: bulkOf<Part>("parts/bulk"),
    selection: {
      ids: [],
      rows: [],
      allMatching: false,
      count: 0,
      params: { page: 1, page_size: 25 },
    },
    ...desk,
  });
  const stored = (id: number) =>
    queryClient
      .getQueryData<{ data: Part[] }>([...KEY, {}])
      ?.data.find((row) => row.id === id) as Part;
  const shown = (id: number) => editor.shown(String(id), stored(id)).qty;
  const type = (id: number, text: string, column = qty) =>
    editor.commit(String(id), stored(id), column, text);
  const mark = (id: number, column = "qty") => editor.cells.marksOf(String(id))?.[column];
  const set = (ids: number[], text: string): CellChange[] =>
    ids.map((id) => ({
      row: String(id) as RowId,
      column: "qty",
      before: String(stored(id).qty),
      after: text,
    }));
  return { server, editor, queryClient, stored, shown, type, mark, set };
}

/** Its grid is gone. */
export function leave(editor: TableEditor<Part>): void {
  editor.detach();
}

/** The table of the page after a reload, at its beginning. */
export function reopened(before: TableEditor<Part>): TableEditor<Part> {
  const { desk } = before;
  before.operations.keepSteps();
  before.detach();
  before.reset();
  outbox.close();
  void outbox.open(person);
  const after = new TableEditor<Part>("parts");
  after.attach(desk);
  after.operations.resume();
  return after;
}

export async function reload(before: TableEditor<Part>): Promise<TableEditor<Part>> {
  await pass(0);
  const after = reopened(before);
  await pass(1_000);
  return after;
}
