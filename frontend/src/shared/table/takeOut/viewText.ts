/** A view of a table as text: its columns as they are shown, and its rows in their order. Pure. */
import { isValidElement, type ReactNode } from "react";
import type { Column } from "../column";

const GROUPED_NUMBER = /^[-−]?\d{1,3}(,\d{3})*(\.\d+)?$/;
/** What spreadsheets take for a formula, the wide forms too: as the server's own files have it. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** What a person reads in a cell. */
export function shownText<Row>(column: Column<Row>, row: Row): string {
  if (column.text) return column.text(row);
  return wordsIn(column.cell(row)).trim() || editedText(column, row) || plainValue(column, row);
}

/** What a spreadsheet is given: numbers as numbers, the rest as it is read. */
export function cellText<Row>(column: Column<Row>, row: Row): string {
  if (column.edit?.kind === "number") return column.edit.value(row);
  const shown = shownText(column, row);
  if (shown === "–") return "";
  return column.align === "end" && GROUPED_NUMBER.test(shown) ? shown.replaceAll(",", "") : shown;
}

/** The rows as CSV for spreadsheets: a mark of its encoding first, no cell that runs as a formula. */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ header }) => header),
    ...rows.map((row) => columns.map((column) => cellText(column, row))),
  ];
  return `\uFEFF${lines.map((cells) => cells.map(csvCell).join(",")).join("\r\n")}\r\n`;
}

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The texts of what is drawn, as far as it can be seen without drawing it. */
function wordsIn(node: ReactNode): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(wordsIn).filter(Boolean).join(" ");
  if (!isValidElement<{ children?: ReactNode; className?: string }>(node)) return "";
  return node.props.className?.includes("sr-only") ? "" : wordsIn(node.props.children);
}

function editedText<Row>({ edit }: Column<Row>, row: Row): string {
  if (!edit) return "";
  const value = edit.value(row);
  if (edit.kind !== "select") return value;
  return edit.options.find((option) => option.value === value)?.label ?? value;
}

function plainValue<Row>({ id }: Column<Row>, row: Row): string {
  const value = (row as Record<string, unknown>)[id];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
