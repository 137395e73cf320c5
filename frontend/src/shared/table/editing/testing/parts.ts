/** A table of parts and its server, in memory. */

import { ApiError, connectionError, RetriesExhaustedError } from "@/shared/api/errors";
import { newQueryClient } from "@/shared/query/newQueryClient";
import type { Column, RowId } from "../../column";
import type { Desk } from "../desk";
import { TableEditor } from "../editor";
import type { BulkOutcome, BulkRequest, Call, CellChange } from "../model";

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

  change(id: number, changes: Partial<Part>): Part {
    this.version += 1;
    const updatedAt = `v${String(this.version).padStart(3, "0")}`;
    const row = { ...(this.rows.get(id) as Part), ...changes, updatedAt };
    this.rows.set(id, row);
    return row;
  }

  save = async (row: Part, changes: Partial<Part>, { key }: Call): Promise<Part> => {
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

  saveRows = async (request: BulkRequest<Part>, { key }: Call): Promise<BulkOutcome<Part>[]> => {
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
    if (atomic && outcomes.some(({ ok }) => !ok)) {
      this.rows = before;
      return outcomes.filter(({ ok }) => !ok);
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
    const down = () => new RetriesExhaustedError(3, "parts", 4, connectionError(null));
    if (fault === "request") throw down();
    if (fault === "session") throw new ApiError("NOT_AUTHENTICATED", "No.", { status: 401 });
    if (!this.answers.has(key)) this.answers.set(key, act());
    if (fault === "answer") throw down();
    await wait();
    return this.answers.get(key) as Answer;
  }
}

export const KEY = ["catalog", "parts"] as const;

export function open(count = 3, desk: Partial<Desk<Part>> = {}) {
  const server = new Server(count);
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
    save: server.save,
    saveRows: server.saveRows,
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
