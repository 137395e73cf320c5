/** The state of cells on top of the stored rows: unsaved texts and marks, by row and column. */
import type { Column, RowId } from "../column";
import type { CellMark, RowMarks } from "./model";

type Texts = ReadonlyMap<string, string>;

/** A row keeps its identity until it changes, so that a change renders only its own row. */
export class CellStates<Row extends object> {
  private readonly texts = new Map<RowId, Texts>();
  private readonly marks = new Map<RowId, RowMarks>();
  private readonly groups = new Map<string, string>();
  private readonly drawn = new Map<RowId, { row: Row; texts: Texts; shown: Row }>();

  /** The row with all unsaved changes. */
  shown(id: RowId, row: Row, columns: readonly Column<Row>[]): Row {
    const texts = this.texts.get(id);
    if (!texts) return row;
    const known = this.drawn.get(id);
    if (known?.row === row && known.texts === texts) return known.shown;
    const shown = Object.assign({}, row, changesOf(texts, columns));
    this.drawn.set(id, { row, texts, shown });
    return shown;
  }

  marksOf(id: RowId): RowMarks | undefined {
    return this.marks.get(id);
  }

  textsOf(id: RowId): Texts | undefined {
    return this.texts.get(id);
  }

  /** The unsaved texts of a row that are sent with this group; "": alone. */
  textsIn(id: RowId, group: string): (readonly [string, string])[] {
    return [...(this.texts.get(id) ?? [])].filter(([column]) => this.groupOf(id, column) === group);
  }

  groupOf(id: RowId, column: string): string {
    return this.groups.get(`${id} ${column}`) ?? "";
  }

  setText(id: RowId, column: string, text: string, group: string): void {
    this.texts.set(id, new Map(this.texts.get(id)).set(column, text));
    if (group) this.groups.set(`${id} ${column}`, group);
    else this.groups.delete(`${id} ${column}`);
  }

  dropText(id: RowId, column: string): void {
    const texts = new Map(this.texts.get(id));
    texts.delete(column);
    this.groups.delete(`${id} ${column}`);
    if (texts.size) this.texts.set(id, texts);
    else {
      this.texts.delete(id);
      this.drawn.delete(id);
    }
  }

  mark(id: RowId, column: string, mark: CellMark | null): void {
    const { [column]: _old, ...others } = this.marks.get(id) ?? {};
    const next = mark ? { ...others, [column]: mark } : others;
    if (Object.keys(next).length) this.marks.set(id, next);
    else this.marks.delete(id);
  }

  /** Marked cells that match, in no particular order. */
  where(fits: (mark: CellMark) => boolean): { row: RowId; column: string; mark: CellMark }[] {
    return [...this.marks].flatMap(([row, marks]) =>
      Object.entries(marks).flatMap(([column, mark]) => (fits(mark) ? { row, column, mark } : [])),
    );
  }

  /** Removes the state of a deleted row. */
  drop(id: RowId): void {
    for (const column of this.texts.get(id)?.keys() ?? []) this.dropText(id, column);
    this.marks.delete(id);
    this.drawn.delete(id);
  }

  /** Refused cells and cells in conflict. */
  wrong(): { row: RowId; column: string; mark: CellMark }[] {
    return this.where(({ state }) => state === "error" || state === "conflict");
  }

  clear(): void {
    this.texts.clear();
    this.marks.clear();
    this.drawn.clear();
    this.groups.clear();
  }
}

/** The changes that texts mean, with the API's field names. */
export function changesOf<Row extends object>(
  texts: Iterable<readonly [string, string]>,
  columns: readonly Column<Row>[],
): Partial<Row> {
  const changes: Partial<Row> = {};
  for (const [id, text] of texts) {
    const edit = columns.find((column) => column.id === id)?.edit;
    if (edit) Object.assign(changes, edit.parse(text));
  }
  return changes;
}
