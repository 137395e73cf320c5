/** The grid's acts on cell ranges: extend, copy, paste, fill, clear, go to marks. */

import { formatCount } from "@/shared/lib/format";
import { elementOf } from "@/shared/lib/records";
import { copyText } from "@/shared/ui/copyText";
import { toast } from "@/shared/ui/toast";
import type { Column, RowId } from "../column";
import type { Position } from "../keyboard";
import { readCells, writeCells } from "./clipboard";
import type { TableEditor } from "./editor";
import type { GridStep } from "./model";
import { type BadCell, type CellChange, WHOLE_ROW } from "./model";
import {
  type Area,
  copied,
  type Plan,
  pasteArea,
  plannedClear,
  plannedFillDown,
  plannedPaste,
  type Sheet,
} from "./plan";
import { areaOf, cellsIn, extended, type Range } from "./range";

/** The most rows of a range that can be copied or changed at once. */
const RANGE_ROWS = 10_000;

export type GridContext<Row extends object> = {
  editor: TableEditor<Row>;
  idOf: (row: Row) => RowId;
  /** Rows of the view, as stored. */
  count: number;
  rowAt: (index: number) => Row | undefined;
  between: (first: number, last: number) => Promise<Row[]>;
  /** Data columns from left to right, and the columns before them. */
  columns: readonly Column<Row>[];
  leading: number;
  columnCount: number;
  rowsInView: number;
  focus: Position;
  range: Range | null;
  setRange: (range: Range | null) => void;
  goTo: (position: Position) => void;
  root: HTMLElement | null;
};

/** Events of React and of the document. */
type KeyPress = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey"> & {
  preventDefault: () => void;
};
type Clip = { clipboardData: DataTransfer | null; preventDefault: () => void };
type Press = Pick<MouseEvent, "button" | "shiftKey"> & {
  target: EventTarget | null;
  preventDefault: () => void;
};

export class GridActs<Row extends object> {
  constructor(private readonly context: () => GridContext<Row>) {}

  /** True: the key was for ranges or marks and needs no further handling. */
  keyDown(event: KeyPress): boolean {
    const { range, focus, setRange, editor } = this.context();
    const command = event.ctrlKey || event.metaKey;
    const act = this.actOf(event, command);
    if (act) {
      event.preventDefault();
      act();
      return true;
    }
    if (event.shiftKey && focus.row >= 0) {
      const { count, columnCount, rowsInView } = this.context();
      const grid = { rows: count, columns: columnCount, rowsInView };
      const next = extended(range ?? { anchor: focus, head: focus }, event, grid);
      if (next) {
        event.preventDefault();
        setRange(next);
        this.reveal(next.head);
        return true;
      }
    }
    const moves = /^(Arrow|Home|End|Page|Tab)/.test(event.key);
    if (range && (moves || event.key === "Escape")) {
      setRange(null);
      if (event.key === "Escape") return true;
    }
    if (event.key === "Escape" && focus.row >= 0) {
      const at = this.cellAt(focus);
      if (at && editor.cells.marksOf(at.id)?.[at.column.id]?.state === "error") {
        event.preventDefault();
        editor.letGo(at.id, at.column.id);
        editor.say("The old values are back.");
        return true;
      }
    }
    if (event.key === "Enter" && focus.row >= 0) {
      const at = this.cellAt(focus);
      if (at && editor.cells.marksOf(at.id)?.[at.column.id]?.state === "conflict") {
        event.preventDefault();
        editor.open({ kind: "conflict", row: at.id, column: at.column.id });
        return true;
      }
    }
    return false;
  }

  private actOf({ key, shiftKey, altKey }: KeyPress, command: boolean): (() => void) | null {
    if (altKey) return null;
    if (command && key.toLowerCase() === "d") return () => void this.fillDown();
    if (command && key.toLowerCase() === "a") return () => this.selectAll();
    if (command) return null;
    if (key === "Delete" || key === "Backspace") return () => void this.clear();
    if (key === "F6") return () => this.goToMark(shiftKey ? -1 : 1);
    if (key === "F8") return () => this.goToDifference(shiftKey ? -1 : 1);
    return null;
  }

  // --- ranges by mouse

  /** Begins a range on a body cell; Shift extends the existing one. */
  mouseDown(event: Press): void {
    const target = elementOf(event.target);
    const place = target && placeOf(target);
    if (!place || event.button !== 0 || target.closest("a, button, input, select")) return;
    const { setRange, range, focus, root, goTo, editor } = this.context();
    const at = this.cellAt(place);
    if (at && target.closest("[data-conflict]")) {
      editor.open({ kind: "conflict", row: at.id, column: at.column.id });
      return;
    }
    if (event.shiftKey && focus.row >= 0) {
      event.preventDefault(); // neither selects text nor moves the focus from the first cell
      setRange({ anchor: range?.anchor ?? focus, head: place });
      goTo(focus);
      return;
    }
    if (range) setRange(null);
    const move = (moved: MouseEvent) => {
      const under = document.elementFromPoint(moved.clientX, moved.clientY);
      const head = under && root?.contains(under) ? placeOf(under) : null;
      this.scrollAlong(moved.clientY);
      const now = this.context().range;
      if (!head || (!now && head.row === place.row && head.column === place.column)) return;
      document.getSelection()?.removeAllRanges();
      if (head.row !== now?.head.row || head.column !== now.head.column) {
        setRange({ anchor: place, head });
      }
    };
    const stop = () => {
      document.removeEventListener("mousemove", move);
      document.removeEventListener("mouseup", stop);
    };
    document.addEventListener("mousemove", move);
    document.addEventListener("mouseup", stop);
  }

  private scrollAlong(y: number): void {
    const viewport = this.context().root?.parentElement;
    const box = viewport?.getBoundingClientRect();
    if (!viewport || !box) return;
    if (y > box.bottom - 24) viewport.scrollTop += 25;
    else if (y < box.top + 40) viewport.scrollTop -= 25;
  }

  private reveal({ row, column }: Position): void {
    const { root, goTo, focus } = this.context();
    const cell = root?.querySelector(`[data-cell="${row}:${column}"]`);
    if (cell) cell.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    else goTo({ row, column: focus.column });
  }

  private selectAll(): void {
    const { count, leading, columns, setRange } = this.context();
    if (count === 0) return;
    setRange({
      anchor: { row: 0, column: leading },
      head: { row: count - 1, column: leading + columns.length - 1 },
    });
  }

  // --- the clipboard

  /** Resolves with true if the cells are on the clipboard. */
  async copy(event: Clip): Promise<boolean> {
    if (document.getSelection()?.toString()) return false; // selected text: the browser copies it
    const area = this.area();
    if (!area || this.isTooLarge(area)) return false;
    event.preventDefault();
    const cells = copied(this.sheet(), area);
    if (cells && event.clipboardData) {
      event.clipboardData.setData("text/plain", writeCells(cells));
      this.sayCopied(area);
      return true;
    }
    const sheet = cells ? null : await this.loadedSheet(area);
    const fetched = cells ?? (sheet && copied(sheet, area));
    if (!fetched) {
      toast.error("Not copied: some of these rows could not be loaded.");
      return false;
    }
    const isCopied = await copyText(writeCells(fetched));
    if (isCopied) this.sayCopied(area);
    return isCopied;
  }

  /** Clears only the cells that were copied. */
  async cut(event: Clip): Promise<void> {
    const area = this.area();
    if (area && (await this.copy(event))) await this.clear(area);
  }

  paste(event: Clip): Promise<void> {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const into = this.area();
    if (!into || text === "") return Promise.resolve();
    event.preventDefault();
    const cells = readCells(text);
    const area = pasteArea(cells, into);
    const { leading, setRange } = this.context();
    return this.plan(
      area,
      (sheet) => plannedPaste(sheet, cells, into),
      "Paste",
      () => {
        const at = (row: number, column: number) => ({ row, column: column + leading });
        if (cellsIn(area) > 1) {
          setRange({ anchor: at(area.top, area.left), head: at(area.bottom, area.right) });
        }
      },
    );
  }

  /** One text into every cell of the range. */
  fill(text: string): Promise<void> {
    const area = this.area();
    if (!area) return Promise.resolve();
    return this.plan(area, (sheet) => plannedPaste(sheet, [[text]], area), "Fill");
  }

  fillDown(): Promise<void> {
    const area = this.area();
    if (!area) return Promise.resolve();
    const from = { ...area, top: Math.max(0, area.top - 1) };
    return this.plan(from, (sheet) => plannedFillDown(sheet, area), "Fill down");
  }

  clear(area = this.area()): Promise<void> {
    if (!area) return Promise.resolve();
    return this.plan(area, (sheet) => plannedClear(sheet, area), "Clear");
  }

  /** Loads the rows first, then plans. If some cells cannot be changed, the person chooses. */
  private async plan(
    area: Area,
    make: (sheet: Sheet<Row>) => Plan,
    verb: string,
    then: () => void = () => undefined,
  ): Promise<void> {
    if (this.isTooLarge(area)) return;
    const { editor } = this.context();
    const sheet = await this.loadedSheet(area);
    if (!sheet) {
      toast.error("Nothing was changed: some of these rows could not be loaded.");
      return;
    }
    const plan = make(sheet);
    editor.know(rowsIn(sheet, area));
    if (plan.good.length === 0 && plan.bad.length === 0) {
      editor.say("Nothing to change.");
      return;
    }
    then();
    await carryOut(editor, plan, verb);
  }

  // --- marks

  /** The next (or previous) refused or conflicting cell, in reading order. */
  private goToMark(step: 1 | -1): void {
    const { editor } = this.context();
    const marks = editor.cells.where(({ state }) => state === "error" || state === "conflict");
    this.goToNext(marks, step, "No cell has an error.");
  }

  /** The next cell that was changed since the history began. */
  private goToDifference(step: 1 | -1): void {
    this.goToNext(changedCells(this.context().editor.history.done), step, "No cell was changed.");
  }

  private goToNext(cells: readonly { row: RowId; column: string }[], step: 1 | -1, none: string) {
    const { editor, focus } = this.context();
    const places = this.placesOf(cells);
    const order = (at: Position) => at.row * 1000 + at.column;
    const sorted = places.sort((a, b) => step * (order(a) - order(b)));
    const next = sorted.find((at) => step * (order(at) - order(focus)) > 0) ?? sorted[0];
    if (next) this.context().goTo(next);
    else if (cells.length) editor.say("Those cells are not in this view: see the history.");
    else editor.say(none);
  }

  private placesOf(cells: readonly { row: RowId; column: string }[]): Position[] {
    if (cells.length === 0) return [];
    const { count, rowAt, idOf, columns, leading } = this.context();
    const wanted = new Map<RowId, string[]>();
    for (const { row, column } of cells) wanted.set(row, [...(wanted.get(row) ?? []), column]);
    const places: Position[] = [];
    for (let index = 0; index < count && wanted.size > 0; index += 1) {
      const row = rowAt(index);
      const own = row && wanted.get(idOf(row));
      for (const id of own ?? []) {
        const column = columns.findIndex((one) => one.id === id);
        if (column >= 0) places.push({ row: index, column: column + leading });
      }
    }
    return places;
  }

  /** Focuses a cell of the view; false if its row is not in the view. */
  goToCell(row: RowId, column: string): boolean {
    const [place] = this.placesOf([{ row, column }]);
    if (place) this.context().goTo(place);
    return place !== undefined;
  }

  // --- places

  private cellAt({ row: index, column: at }: Position) {
    const { rowAt, idOf, columns, leading } = this.context();
    const row = rowAt(index);
    const column = columns[at - leading];
    return row && column ? { id: idOf(row), row, column } : null;
  }

  /** The rows of the range and its first column; for a single cell, that cell's. */
  rangeRows(): Row[] {
    const area = this.area();
    return area ? rowsIn(this.sheet(), area) : [];
  }

  rangeColumn(): string | undefined {
    const area = this.area();
    return this.context()
      .columns.slice(area?.left ?? 0, (area?.right ?? -1) + 1)
      .find(({ edit }) => edit)?.id;
  }

  private area(): Area | null {
    const { range, focus, leading, columns, count } = this.context();
    if (focus.row < 0 || count === 0 || columns.length === 0) return null;
    if (!range && (focus.column < leading || focus.column >= leading + columns.length)) return null;
    return areaOf(range ?? { anchor: focus, head: focus }, leading, columns.length);
  }

  private isTooLarge(area: Area): boolean {
    const rows = area.bottom - area.top + 1;
    if (rows <= RANGE_ROWS) return false;
    toast.error(
      `${formatCount(rows)} rows are too many at once: ${formatCount(RANGE_ROWS)} is the limit. ` +
        "Select the rows and use Edit for more.",
    );
    return true;
  }

  private sheet(): Sheet<Row> {
    const { columns, count, rowAt, idOf, editor } = this.context();
    return {
      columns,
      rowCount: count,
      idOf,
      rowAt: (index) => {
        const row = rowAt(index);
        return row && editor.shown(idOf(row), row);
      },
    };
  }

  /** The sheet with all rows of an area loaded; null if they cannot be fetched. */
  private async loadedSheet(area: Area): Promise<Sheet<Row> | null> {
    const sheet = this.sheet();
    const { count, between, idOf, editor } = this.context();
    const last = Math.min(area.bottom, count - 1);
    const isLoaded = (index: number) => sheet.rowAt(index) !== undefined;
    let missing = false;
    for (let index = area.top; index <= last; index += 1) missing ||= !isLoaded(index);
    if (!missing) return sheet;
    try {
      const rows = await between(area.top, last);
      return {
        ...sheet,
        rowAt: (index) => {
          const row = rows[index - area.top];
          return row && editor.shown(idOf(row), row);
        },
      };
    } catch {
      return null;
    }
  }

  private sayCopied(area: Area): void {
    const rows = area.bottom - area.top + 1;
    const columns = area.right - area.left + 1;
    this.context().editor.say(
      rows * columns === 1 ? "Copied." : `Copied ${rows} × ${columns} cells.`,
    );
  }
}

function rowsIn<Row>(sheet: Sheet<Row>, area: Area): Row[] {
  const rows: Row[] = [];
  for (let index = area.top; index <= area.bottom; index += 1) {
    const row = sheet.rowAt(index);
    if (row) rows.push(row);
  }
  return rows;
}

/**
 * Applies a plan. If some cells cannot be changed, lists them and waits for the person's choice.
 */
export async function carryOut<Row extends object>(
  editor: TableEditor<Row>,
  plan: Plan,
  verb: string,
): Promise<void> {
  if (plan.bad.length) {
    editor.open({ kind: "choice", verb, good: plan.good, bad: plan.bad });
    return;
  }
  const { good } = plan;
  const refused = await editor.change(good, actFor(editor, good, verb), { atomic: true });
  if (refused.length) {
    editor.open({ kind: "choice", verb, good: without(good, refused), bad: refused });
  }
}

/** Cells whose text differs from the text before these steps. */
export function changedCells(steps: readonly GridStep[]): { row: RowId; column: string }[] {
  const first = new Map<string, CellChange>();
  for (const cell of steps.flatMap(({ changes }) => changes)) {
    if (cell.column === WHOLE_ROW) continue;
    const key = `${cell.row} ${cell.column}`;
    first.set(key, { ...cell, before: first.get(key)?.before ?? cell.before });
  }
  return [...first.values()]
    .filter(({ before, after }) => before !== after)
    .map(({ row, column }) => ({ row, column }));
}

/** The act's name in the history. */
export function actFor<Row extends object>(
  editor: TableEditor<Row>,
  cells: readonly CellChange[],
  verb: string,
) {
  const columns = [...new Set(cells.map(({ column }) => column))];
  const rows = new Set(cells.map(({ row }) => row));
  const [first] = cells;
  const headers = columns.map((id) => editor.columnOf(id)?.header ?? id);
  const what = headers.length > 3 ? `${headers.length} columns` : headers.join(", ");
  const where =
    rows.size === 1 && first ? editor.nameOf(first.row) : `${formatCount(rows.size)} rows`;
  const type = cells.length === 1 ? ("cell-edit" as const) : ("bulk-edit" as const);
  return { type, label: `${verb}: ${what} of ${where}` };
}

const without = (good: readonly CellChange[], refused: readonly BadCell[]): CellChange[] => {
  const keys = new Set(refused.map(({ row, column }) => `${row} ${column}`));
  return good.filter(({ row, column }) => !keys.has(`${row} ${column}`));
};

/** The position of the body cell that contains an element. */
function placeOf(element: Element): Position | null {
  const [row, column] = (element.closest<HTMLElement>("[data-cell]")?.dataset.cell ?? "")
    .split(":")
    .map(Number);
  return row === undefined || column === undefined || row < 0 ? null : { row, column };
}
