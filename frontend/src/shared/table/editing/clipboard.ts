/** Cells as text in the clipboard format of spreadsheets: tabs, lines, quotes. Pure. */

/**
 * Parses a spreadsheet's text into rows of cells. Quoted cells may contain tabs, lines and doubled
 * quotes.
 */
export function readCells(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at <= text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at) : null;
    const end = cell ? cell.end : plainEnd(text, at);
    row.push(cell ? cell.text : text.slice(at, end));
    if (text[end] === "\t") {
      at = end + 1;
      continue;
    }
    rows.push(row);
    row = [];
    at = end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1);
    // A trailing line break does not begin another row.
    if (at >= text.length) break;
  }
  return rows;
}

/**
 * The text of a quoted cell; null if the quote does not end at a cell's end, so that it is plain
 * text.
 */
function quotedCell(text: string, start: number): { text: string; end: number } | null {
  let at = start + 1;
  while (at < text.length) {
    if (text[at] !== '"') at += 1;
    else if (text[at + 1] === '"') at += 2;
    else break;
  }
  const after = text[at + 1];
  const closed = at < text.length && (after === undefined || "\t\n\r".includes(after));
  if (!closed) return null;
  return { text: text.slice(start + 1, at).replaceAll('""', '"'), end: at + 1 };
}

function plainEnd(text: string, start: number): number {
  const border = /[\t\r\n]/g;
  border.lastIndex = start;
  return border.exec(text)?.index ?? text.length;
}

/** Rows of cells as a spreadsheet's text. */
export function writeCells(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(quoted).join("\t")).join("\n");
}

function quoted(text: string): string {
  return /[\t\n\r]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
