import { FileSpreadsheet, Printer } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { formatCount, formatDateTime } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { saveFile } from "@/shared/lib/saveFile";
import { Button } from "@/shared/ui/Button";
import type { Icon } from "@/shared/ui/icon";
import { ProgressBar } from "@/shared/ui/states";
import type { Column, ListParams, RowSource } from "../column";
import { activeFilters } from "../filters";
import type { TableState } from "../tableState";
import { csvOf, shownText } from "./viewText";

/** The server's maximum for one page. */
const PAGE = 500;
/** For more rows, use a file of the export or a narrower filter. */
const MOST_SAVED = 100_000;
const MOST_PRINTED = 5_000;

export type TakeOutProps<Row> = {
  label: string;
  state: TableState;
  source: RowSource<Row>;
  /** The visible columns in their order. */
  columns: readonly Column<Row>[];
  total: number;
};

/** Exports the view with its columns, filters and order as a file or prints it. */
export function TakeOut<Row>(props: TakeOutProps<Row>) {
  const { label, state, source, columns, total } = props;
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [printed, setPrinted] = useState<Printed<Row> | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const withRows = async (most: number, use: (rows: Row[]) => void) => {
    const controller = new AbortController();
    running.current = controller;
    setProblem(null);
    setProgress({ done: 0, total: Math.min(most, total) });
    const tell = (done: number, of: number) => setProgress({ done, total: of });
    try {
      use(await allRows(source, state.params, most, tell, controller.signal));
    } catch (error) {
      if (!controller.signal.aborted) setProblem(problemText(error));
    } finally {
      setProgress(null);
    }
  };
  const save = () =>
    withRows(MOST_SAVED, (rows) => {
      const content = new Blob([csvOf(columns, rows)], { type: "text/csv" });
      saveFile({ name: `${fileName(label)}.csv`, content });
    });
  const print = () =>
    withRows(MOST_PRINTED, (rows) => {
      const narrowing = [
        state.search && `Search “${state.search}”`,
        ...activeFilters(columns, state.filters).map(({ text }) => text),
      ].filter(Boolean);
      const count =
        rows.length < total
          ? `The first ${formatCount(rows.length)} of ${formatCount(total)} rows`
          : `${formatCount(total)} ${total === 1 ? "row" : "rows"}`;
      const notes = [
        `${count}, ${formatDateTime(new Date().toISOString())}`,
        narrowing.join(" · "),
      ].filter(Boolean);
      setPrinted({ title: label, notes, columns, rows });
    });

  const act = (words: string, icon: Icon, run: () => Promise<void>) => (
    <Button
      size="sm"
      icon={icon}
      disabledReason={progress ? "The rows are being fetched" : total === 0 && "There are no rows"}
      once
      onClick={() => void run()}
    >
      {words}
    </Button>
  );
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted text-xs">
        {formatCount(total)} {total === 1 ? "row" : "rows"} with the columns, filters and order as
        they are shown.
      </p>
      {act("Save as CSV", FileSpreadsheet, save)}
      {act("Print", Printer, print)}
      {total > MOST_PRINTED && (
        <p className="text-muted text-xs">
          Paper takes the first {formatCount(MOST_PRINTED)} rows
          {total > MOST_SAVED && `, a file the first ${formatCount(MOST_SAVED)}`}.
        </p>
      )}
      {progress && <ProgressBar label="Fetching the rows" {...progress} />}
      {problem && (
        <p role="alert" className="text-danger text-xs">
          {problem}
        </p>
      )}
      {printed && <PrintedView view={printed} onDone={() => setPrinted(null)} />}
    </div>
  );
}

/** Fetches all rows of a view, page by page. */
async function allRows<Row>(
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

/** A table's name as a file name. */
const fileName = (label: string) =>
  label
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .toLowerCase() || "table";

type Printed<Row> = {
  title: string;
  /** The filters and the number of rows, as text. */
  notes: readonly string[];
  columns: readonly Column<Row>[];
  rows: readonly Row[];
};

/**
 * A view for printing: the page around it is not printed (`[data-printed]` in styles.css). A plain
 * HTML table, because browsers repeat its head on every sheet.
 */
function PrintedView<Row>({ view, onDone }: { view: Printed<Row>; onDone: () => void }) {
  const done = useEffectEvent(onDone);
  useEffect(() => {
    const end = () => done();
    window.addEventListener("afterprint", end);
    window.print();
    return () => window.removeEventListener("afterprint", end);
  }, []);
  return createPortal(
    <div data-printed="">
      <h1>{view.title}</h1>
      {view.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <table>
        <thead>
          <tr>
            {view.columns.map(({ id, header, align }) => (
              <th key={id} scope="col" data-align={align}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, never in another order
            <tr key={index}>
              {view.columns.map((column) => (
                <td key={column.id} data-align={column.align}>
                  {shownText(column, row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>,
    document.body,
  );
}
