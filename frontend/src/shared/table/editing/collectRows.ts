/** The rows of a bulk edit: the selected ones, or all that match, fetched page by page. */
import type { Desk } from "./desk";

/** Rows of one request; the lists' maximum. */
const PAGE = 500;
/** The most rows that one bulk edit may change. */
export const BULK_LIMIT = 20_000;

export async function collectRows<Row extends object>(
  desk: Desk<Row>,
  onProgress: (rows: number, of: number) => void,
  signal: AbortSignal,
): Promise<Row[]> {
  const { selection, source } = desk;
  if (!selection.allMatching) return [...selection.rows];
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await source.fetch({ ...selection.params, page, page_size: PAGE }, signal);
    rows.push(...answer.data);
    onProgress(rows.length, selection.count);
    if (answer.data.length < PAGE || rows.length >= BULK_LIMIT) return rows;
  }
}
