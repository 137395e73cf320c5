import { clsx } from "clsx";
import { type CSSProperties, memo } from "react";
import { CellEditor } from "./CellEditor";
import { type CellMark, type CellMarks, cellKey } from "./cellEdits";
import type { RowId } from "./column";
import { type Drawn, STICKY } from "./gridStyle";
import type { Position } from "./keyboard";
import { type Editing, ROW_HEIGHT } from "./view";

type Props<Row extends object> = {
  row: Row;
  id: RowId;
  /** The place in this view; cells carry it as `data-cell="row:column"`. */
  index: number;
  /** The place in the whole list, as screen readers count. */
  ariaRow: number;
  start: number;
  columns: readonly Drawn<Row>[];
  leading: number;
  hasActions: boolean;
  selected: boolean;
  marks: CellMarks;
  focusColumn: number | null;
  editing: Editing | null;
  lastRow: number;
  onEdited: (text: string | null, then: Position | null) => void;
};

const rowClass =
  "absolute top-0 left-0 grid w-full grid-cols-(--columns) border-line border-b [contain:layout_style]";
const placed = (start: number): CSSProperties => ({
  height: ROW_HEIGHT,
  transform: `translateY(${start}px)`,
});
/** Clicks are told by the grid, to all rows at once. */
const told = () => undefined;

/**
 * One row of the grid, 50 px high wherever it stands. Memoised, and without handlers, tooltips or
 * menus of its own: scrolling draws new rows only, and those cheaply.
 */
export const BodyRow = memo(DrawnRow) as typeof DrawnRow;

function DrawnRow<Row extends object>(props: Props<Row>) {
  const { index, start, columns, leading, selected, hasActions, focusColumn } = props;
  const tab = (column: number) => (focusColumn === column ? 0 : -1);
  const last = columns.length + leading;

  return (
    <div
      role="row"
      aria-rowindex={props.ariaRow}
      aria-selected={leading ? selected : undefined}
      style={placed(start)}
      className={clsx(rowClass, selected ? "bg-accent-tint" : "bg-surface hover:bg-hover")}
    >
      {leading > 0 && (
        <div
          role="gridcell"
          aria-colindex={1}
          data-cell={`${index}:0`}
          className={clsx("grid place-items-center", columns[0]?.side === "left" && STICKY)}
          style={{ left: 0 }}
        >
          <input
            type="checkbox"
            aria-label="Select row"
            data-cell-control=""
            data-row-box=""
            tabIndex={tab(0)}
            checked={selected}
            onChange={told}
            className="size-4 cursor-pointer accent-(--accent)"
          />
        </div>
      )}
      {columns.map((drawn, order) => (
        <BodyCell
          key={drawn.column.id}
          row={props.row}
          drawn={drawn}
          index={index}
          at={order + leading}
          tabIndex={tab(order + leading)}
          mark={props.marks.get(cellKey(props.id, drawn.column.id))}
          editing={props.editing}
          lastRow={props.lastRow}
          onEdited={props.onEdited}
        />
      ))}
      {hasActions && (
        <div
          role="gridcell"
          aria-colindex={last + 1}
          data-cell={`${index}:${last}`}
          className={clsx("grid place-items-center", columns.at(-1)?.side === "right" && STICKY)}
          style={{ right: 0 }}
        >
          <button
            type="button"
            aria-label="Row actions"
            aria-haspopup="menu"
            title="Row actions"
            data-cell-control=""
            data-row-menu=""
            tabIndex={tab(last)}
            className="size-7 rounded-control text-muted hover:bg-sunken hover:text-ink pointer-coarse:size-9"
          >
            <span aria-hidden="true">⋯</span>
          </button>
        </div>
      )}
    </div>
  );
}

/** A row that is still being fetched: as little as can be drawn. */
export const WaitingRow = memo(function WaitingRow(props: {
  index: number;
  ariaRow: number;
  start: number;
  columnCount: number;
  focusColumn: number | null;
}) {
  const { index, focusColumn } = props;
  return (
    <div
      role="row"
      aria-rowindex={props.ariaRow}
      aria-busy="true"
      style={placed(props.start)}
      className="absolute top-0 left-0 w-full border-line border-b bg-surface [contain:strict]"
    >
      <div
        role="gridcell"
        aria-colindex={1}
        aria-colspan={props.columnCount}
        data-cell={`${index}:${focusColumn ?? 0}`}
        tabIndex={focusColumn === null ? -1 : 0}
        className="flex h-full items-center px-3 -outline-offset-2"
      >
        <span className="h-3 w-64 rounded bg-line" />
      </div>
    </div>
  );
});

type CellProps<Row> = {
  row: Row;
  drawn: Drawn<Row>;
  index: number;
  at: number;
  tabIndex: number;
  mark: CellMark | undefined;
  editing: Editing | null;
  lastRow: number;
  onEdited: (text: string | null, then: Position | null) => void;
};

function BodyCell<Row extends object>(props: CellProps<Row>) {
  const { row, drawn, index, at, mark, editing, lastRow, onEdited } = props;
  const { column } = drawn;

  if (editing?.position.column === at && column.edit) {
    const position = { row: index, column: at };
    return (
      <div
        role="gridcell"
        aria-colindex={at + 1}
        style={drawn.style}
        className={clsx("flex items-center px-1", drawn.side && STICKY)}
      >
        <CellEditor
          label={column.header}
          edit={column.edit}
          text={editing.text}
          align={column.align}
          onDone={(text, move) => {
            const down = { row: Math.min(index + 1, lastRow), column: at };
            const then = { down, right: { row: index, column: at + 1 }, stay: position };
            onEdited(text, move === "away" ? null : then[move]);
          }}
        />
      </div>
    );
  }
  return (
    <div
      role="gridcell"
      aria-colindex={at + 1}
      aria-readonly={column.edit ? undefined : true}
      aria-invalid={mark?.state === "error" || undefined}
      aria-busy={mark?.state === "pending" || undefined}
      data-cell={`${index}:${at}`}
      tabIndex={props.tabIndex}
      style={drawn.style}
      className={
        mark?.state === "error" ? clsx(drawn.className, "bg-danger-tint") : drawn.className
      }
    >
      <div className="min-w-0 truncate">{column.cell(row)}</div>
      {mark && <Mark mark={mark} />}
    </div>
  );
}

/** Pending: a dot. Refused: a red corner, its reason on hover and for screen readers. */
function Mark({ mark }: { mark: CellMark }) {
  if (mark.state === "pending") {
    return (
      <span className="absolute top-1 right-1 size-1.5 rounded-full bg-accent">
        <span className="sr-only">Saving</span>
      </span>
    );
  }
  return (
    <span
      title={mark.message}
      className="absolute top-0 right-0 size-0 border-t-8 border-t-danger border-l-8 border-l-transparent"
    >
      <span className="sr-only">{mark.message}</span>
    </span>
  );
}
