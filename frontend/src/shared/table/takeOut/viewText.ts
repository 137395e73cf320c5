/** A view of a table as text: its visible columns, and its rows in their order. Pure. */

import { isValidElement, type ReactNode } from "react";
import { readNumber } from "@/shared/lib/numbers";
import { memberOf } from "@/shared/lib/records";
import type { Column } from "../column";

/**
 * Characters that start a formula in spreadsheets, the full-width forms too; the same as in the
 * server's files.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** The text of a cell for people. */
export function shownText<Row>(column: Column<Row>, row: Row): string {
  if (column.text) return column.text(row);
  return wordsIn(column.cell(row)).trim() || editedText(column, row) || plainValue(column, row);
}

/** The text of a cell for spreadsheets: numbers as plain numbers, the rest as shown. */
export function cellText<Row>(column: Column<Row>, row: Row): string {
  if (column.edit?.kind === "number") return column.edit.value(row);
  const shown = shownText(column, row);
  if (shown === "–") return "";
  const read = column.align === "end" && readNumber(shown);
  return read && "value" in read ? read.value : shown;
}

/** The rows as CSV for spreadsheets: starts with a byte order mark; no cell is run as a formula. */
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

/** The texts in a React node, as far as they are known without rendering it. */
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
  const value = memberOf(row, id);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
