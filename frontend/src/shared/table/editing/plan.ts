/** Plans a paste, a fill or a bulk edit: the changes, and the cells that cannot be changed. */
import { memberOf } from "@/shared/lib/records";
import type { Column, RowId } from "../column";
import { isFormula, worked } from "./arithmetic";
import type { BadCell, CellChange } from "./model";

/** A rectangle of cells by their positions in the view, borders included. */
export type Area = { top: number; bottom: number; left: number; right: number };

/** The rows and columns of a view, for planning. */
export type Sheet<Row> = {
  columns: readonly Column<Row>[];
  rowCount: number;
  /** The row as shown; undefined while it is loading. */
  rowAt: (index: number) => Row | undefined;
  idOf: (row: Row) => RowId;
};

export type Plan = { good: CellChange[]; bad: BadCell[]; unchanged: number };

export type Meaning = { text: string } | { reason: string };

/**
 * The value of a text in a cell: options by name or value, formulas computed, checked like typed
 * text.
 */
export function meaningOf<Row>(column: Column<Row>, row: Row, text: string): Meaning {
  const { edit } = column;
  if (!edit) return { reason: `${column.header} is not edited here.` };
  let meant = text;
  if (edit.kind === "select") {
    const wanted = text.trim().toLowerCase();
    const option = edit.options.find(({ value, label }) =>
      [value, label].some((one) => one.toLowerCase() === wanted),
    );
    if (!option) return { reason: `One of ${edit.options.map(({ label }) => label).join(", ")}.` };
    meant = option.value;
  } else if (edit.kind === "number" && isFormula(text)) {
    const result = worked(text, edit.value(row), edit.places);
    if ("reason" in result) return result;
    meant = result.text;
  }
  const reason = edit.check?.(meant);
  // The text after it is stored: "1,250.0" becomes "1250".
  return reason ? { reason } : { text: edit.value({ ...row, ...edit.parse(meant) }) };
}

/** The text that copying a column's cell gives. */
export function textOf<Row>(column: Column<Row>, row: Row): string {
  if (column.text) return column.text(row);
  if (column.edit) return column.edit.value(row);
  const shown = column.cell(row);
  if (typeof shown === "string" || typeof shown === "number") return String(shown);
  const value = memberOf(row, column.id);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The texts of an area; null if some of its rows are not loaded. */
export function copied<Row>(sheet: Sheet<Row>, area: Area): string[][] | null {
  const rows: string[][] = [];
  for (let index = area.top; index <= area.bottom; index += 1) {
    const row = sheet.rowAt(index);
    if (!row) return null;
    rows.push(sheet.columns.slice(area.left, area.right + 1).map((column) => textOf(column, row)));
  }
  return rows;
}

/**
 * Where pasted cells go: one value fills the whole area, one row goes into each of its rows, a
 * block is repeated if it fits a whole number of times; otherwise the block begins at the area's
 * corner.
 */
export function pasteArea(cells: readonly (readonly string[])[], area: Area): Area {
  const height = cells.length;
  const width = Math.max(1, ...cells.map((row) => row.length));
  const rows = area.bottom - area.top + 1;
  const columns = area.right - area.left + 1;
  return {
    top: area.top,
    left: area.left,
    bottom: area.top + (rows % height === 0 ? rows : height) - 1,
    right: area.left + (columns % width === 0 ? columns : width) - 1,
  };
}

/**
 * The result of a paste. Each cell of the clipboard is valid, unchanged or invalid; none is
 * dropped.
 */
export function plannedPaste<Row>(
  sheet: Sheet<Row>,
  cells: readonly (readonly string[])[],
  into: Area,
): Plan {
  const area = pasteArea(cells, into);
  return planned(sheet, area, (down, right) => {
    const row = cells[down % cells.length] ?? [];
    return row[right % Math.max(1, ...cells.map((one) => one.length))];
  });
}

/** Copies the area's first row into those below it; for a single row, copies the row above. */
export function plannedFillDown<Row>(sheet: Sheet<Row>, area: Area): Plan {
  const from = area.top === area.bottom ? area.top - 1 : area.top;
  const source = sheet.rowAt(from);
  if (!source) return { good: [], bad: [], unchanged: 0 };
  const texts = sheet.columns.map((column) => column.edit?.value(source));
  const top = from + 1;
  return planned(sheet, { ...area, top }, (_, right) => texts[area.left + right]);
}

/** Clears an area: texts become empty, numbers that must have a value become 0. */
export function plannedClear<Row>(sheet: Sheet<Row>, area: Area): Plan {
  return planned(sheet, area, (_, right) => {
    const edit = sheet.columns[area.left + right]?.edit;
    if (!edit) return undefined;
    return edit.kind === "number" && edit.check?.("") ? "0" : "";
  });
}

/** Sets one text (or formula) in a column of many rows. */
export function plannedSet<Row>(
  rows: readonly Row[],
  column: Column<Row>,
  text: string,
  idOf: (row: Row) => RowId,
): Plan {
  const plan: Plan = { good: [], bad: [], unchanged: 0 };
  for (const row of rows) put(plan, column, row, idOf(row), text);
  return plan;
}

function planned<Row>(
  sheet: Sheet<Row>,
  area: Area,
  textAt: (down: number, right: number) => string | undefined,
): Plan {
  const plan: Plan = { good: [], bad: [], unchanged: 0 };
  for (let index = area.top; index <= area.bottom; index += 1) {
    const row = sheet.rowAt(index);
    const id = row === undefined ? null : sheet.idOf(row);
    for (let at = area.left; at <= area.right; at += 1) {
      const text = textAt(index - area.top, at - area.left);
      if (text === undefined) continue;
      const column = sheet.columns[at];
      if (!column) plan.bad.push({ row: id, column: null, text, reason: "No column is here." });
      else if (row === undefined || id === null) {
        const reason = index < sheet.rowCount ? "This row is not loaded yet." : "No row is here.";
        plan.bad.push({ row: null, column: column.id, text, reason });
      } else put(plan, column, row, id, text);
    }
  }
  return plan;
}

function put<Row>(plan: Plan, column: Column<Row>, row: Row, id: RowId, text: string): void {
  if (!column.edit && text === textOf(column, row)) {
    plan.unchanged += 1;
    return;
  }
  const before = column.edit?.value(row) ?? "";
  const meaning = meaningOf(column, row, text);
  if ("reason" in meaning) {
    plan.bad.push({ row: id, column: column.id, text, reason: meaning.reason });
  } else if (meaning.text === before) plan.unchanged += 1;
  else plan.good.push({ row: id, column: column.id, before, after: meaning.text });
}
