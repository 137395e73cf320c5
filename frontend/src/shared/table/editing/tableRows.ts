/** The rows of a table: the loaded ones, and those that are kept for when they are not loaded. */
import type { Column, RowId } from "../column";
import { type Desk, loadedRows, nameOf, newer, putLoaded } from "./desk";

export class TableRows<Row extends object> {
  /** Whether a grid shows it: what is refused meanwhile is told elsewhere. */
  isShown = false;
  /** The last event, for screen readers. */
  said = "";
  /** Counts changes, to trigger renders. */
  version = 0;
  protected given: Desk<Row> | null = null;
  protected readonly known = new Map<RowId, Row>();
  private readonly listeners = new Set<() => void>();

  /** `key`: the name of the table, under which its requests are kept. */
  constructor(readonly key: string) {}

  get desk(): Desk<Row> {
    if (!this.given) throw new Error("The editor has no table yet");
    return this.given;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly changed = (): void => {
    this.version += 1;
    for (const listener of this.listeners) listener();
  };

  readonly say = (text: string): void => {
    this.said = text;
    this.changed();
  };

  columnOf(id: string): Column<Row> | undefined {
    return this.desk.columns.find((column) => column.id === id);
  }

  rowsOf(ids: readonly RowId[]): Map<RowId, Row> {
    const rows = loadedRows(this.desk, new Set(ids));
    for (const id of ids) {
      const known = this.known.get(id);
      const loaded = rows.get(id);
      if (known) rows.set(id, loaded ? newer(known, loaded) : known);
    }
    return rows;
  }

  /** The newest known state of a row. */
  readonly rowOf = (id: RowId): Row | undefined => this.rowsOf([id]).get(id);

  readonly nameOf = (id: RowId): string => {
    const row = this.known.get(id) ?? this.rowOf(id);
    return row ? nameOf(this.desk, row) : `row ${id}`;
  };

  /** Keeps rows for the time when they are no longer loaded. */
  know(rows: Iterable<Row>): void {
    for (const row of rows) {
      const id = this.desk.idOf(row);
      this.known.set(id, newer(this.known.get(id), row));
    }
  }

  /** Sets the stored state of rows. */
  store(rows: readonly Row[]): void {
    this.know(rows);
    putLoaded(this.desk, new Map(rows.map((row) => [this.desk.idOf(row), row])));
  }

  forget(): void {
    this.known.clear();
    this.changed();
  }
}
