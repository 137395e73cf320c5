import { clsx } from "clsx";
import { type CSSProperties, memo } from "react";
import type { EditingParts } from "./cellEdits";
import type { RowId } from "./column";
import type { CellMark, RowMarks } from "./editing/model";
import { type Drawn, STICKY } from "./gridStyle";
import type { Move } from "./keyboard";
import type { Editing } from "./view";

type Props<Row extends object> = {
  row: Row;
  id: RowId;
  /** The row's index in this view; cells have it as `data-cell="row:column"`. */
  index: number;
  /** The row's index in the whole list, for screen readers. */
  ariaRow: number;
  start: number;
  height: number;
  columns: readonly Drawn<Row>[];
  leading: number;
  hasActions: boolean;
  selected: boolean;
  marks: RowMarks | undefined;
  focusColumn: number | null;
  /** The columns of a cell range within this row; -1 where there are none. */
  rangeFirst: number;
  rangeLast: number;
  editing: Editing | null;
  parts: EditingParts | null;
  onEdited: (text: string | null, move: Move) => void;
};

const rowClass =
  "absolute top-0 left-0 grid w-full grid-cols-(--columns) border-line border-b [contain:layout_style]";
const placed = (start: number, height: number): CSSProperties => ({
  height,
  transform: `translateY(${start}px)`,
});
/** The mark of a whole row. */
const WHOLE_ROW = "*";
/** The grid handles clicks for all rows. */
const told = () => undefined;

/**
 * One row of the grid. Memoised, and without handlers, tooltips or menus of its own, so that
 * scrolling renders only new rows, and those quickly.
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
      style={placed(start, props.height)}
      className={clsx(
        rowClass,
        selected ? "bg-accent-tint" : "bg-surface hover:bg-hover",
        props.marks?.[WHOLE_ROW] && "opacity-50",
      )}
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
          mark={props.marks?.[drawn.column.id]}
          inRange={order + leading >= props.rangeFirst && order + leading <= props.rangeLast}
          editing={props.editing}
          parts={props.parts}
          onEdited={props.onEdited}
        />
      ))}
      {hasActions && (
        <div
          role="gridcell"
          aria-colindex={last + 1}
          data-cell={`${index}:${last}`}
          className={`grid place-items-center ${STICKY}`}
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
            // It is always inside the visible area, so focusing it does not scroll.
            className="-scroll-mr-12 size-7 rounded-control text-muted hover:bg-sunken hover:text-ink pointer-coarse:size-9"
          >
            <span aria-hidden="true">⋯</span>
          </button>
        </div>
      )}
    </div>
  );
}

/** A row that is still loading: as few elements as possible. */
export const WaitingRow = memo(function WaitingRow(props: {
  index: number;
  ariaRow: number;
  start: number;
  height: number;
  columnCount: number;
  focusColumn: number | null;
}) {
  const { index, focusColumn } = props;
  return (
    <div
      role="row"
      aria-rowindex={props.ariaRow}
      aria-busy="true"
      style={placed(props.start, props.height)}
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
  inRange: boolean;
  editing: Editing | null;
  parts: EditingParts | null;
  onEdited: (text: string | null, move: Move) => void;
};

function BodyCell<Row extends object>(props: CellProps<Row>) {
  const { row, drawn, index, at, mark, inRange, editing, parts } = props;
  const { column } = drawn;

  if (editing?.position.column === at && column.edit && parts) {
    return (
      <div
        role="gridcell"
        aria-colindex={at + 1}
        style={drawn.style}
        className={clsx("flex items-center px-1", drawn.side && STICKY)}
      >
        <parts.CellEditor
          label={column.header}
          edit={column.edit}
          {...editing}
          align={column.align}
          onDone={props.onEdited}
        />
      </div>
    );
  }
  const tint = mark && tints[mark.state];
  return (
    <div
      role="gridcell"
      aria-colindex={at + 1}
      aria-readonly={column.edit ? undefined : true}
      aria-selected={inRange || undefined}
      aria-invalid={mark?.state === "error" || undefined}
      aria-busy={(mark && mark.state in busy) || undefined}
      data-cell={`${index}:${at}`}
      tabIndex={props.tabIndex}
      style={drawn.style}
      className={clsx(drawn.className, inRange ? "bg-info-tint" : tint)}
    >
      {mark?.state === "error" ? (
        // The typed text stays, to be corrected.
        <div className="min-w-0 truncate text-danger underline decoration-danger decoration-wavy">
          {mark.text}
        </div>
      ) : (
        <div className="min-w-0 truncate">{column.cell(row)}</div>
      )}
      {mark && parts && <parts.CellMark mark={mark} />}
    </div>
  );
}

const tints: Partial<Record<CellMark["state"], string>> = {
  error: "bg-danger-tint",
  conflict: "bg-warning-tint",
};
const busy = { pending: true, saving: true, waiting: true };
