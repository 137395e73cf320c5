import { useEffect, useEffectEvent } from "react";
import { createPortal } from "react-dom";
import type { Column } from "../column";
import { shownText } from "./viewText";

export type Printed<Row> = {
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
export function PrintedView<Row>({ view, onDone }: { view: Printed<Row>; onDone: () => void }) {
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
