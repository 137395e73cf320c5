/** Fetches all rows of a view, page by page. */
import type { ListParams, RowSource } from "../column";

/** The server's maximum for one page. */
const PAGE = 500;

export async function allRows<Row>(
  source: RowSource<Row>,
  params: ListParams,
  most: number,
  /** Called with the number of fetched rows and of all rows. */
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await source.fetch({ ...params, page, page_size: PAGE }, signal);
    rows.push(...answer.data);
    const total = Math.min(most, answer.pagination?.total_items ?? rows.length);
    onProgress(Math.min(rows.length, total), total);
    if (rows.length >= total || answer.data.length === 0) return rows.slice(0, most);
  }
}
