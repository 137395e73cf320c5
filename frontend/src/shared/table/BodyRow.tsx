import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import { memo } from "react";
import { IconButton } from "@/shared/ui/Button";
import { SelectBox } from "@/shared/ui/Checkbox";
import { Menu, type MenuEntry } from "@/shared/ui/Menu";
import { CellEditor } from "./CellEditor";
import { type CellMark, type CellMarks, cellKey } from "./cellEdits";
import type { Column, RowId } from "./column";
import type { Position } from "./keyboard";
import type { GridRow } from "./useGrid";
import { type Editing, ROW_HEIGHT } from "./view";

type Props<Row extends object> = {
  /** Undefined while the row is being fetched. */
  row: Row | undefined;
  id: RowId | null;
  index: number;
  start: number;
  columns: readonly Column<Row>[];
  leading: number;
  /** What TanStack knows of the row, for choosing it; undefined while it is being fetched. */
  model: GridRow<Row> | undefined;
  selected: boolean;
  marks: CellMarks;
  template: string;
  focusColumn: number | null;
  editing: Editing | null;
  lastRow: number;
  rowActions?: (row: Row) => readonly MenuEntry[];
  onOpen?: (row: Row) => void;
  onFocus: (position: Position) => void;
  onEdit: (position: Position, typed?: string) => boolean;
  onEdited: (text: string | null, then: Position | null) => void;
};

/** One row of the grid, 50 px high wherever it stands. Memoised: scrolling draws new rows only. */
export const BodyRow = memo(DrawnRow) as typeof DrawnRow;

function DrawnRow<Row extends object>(props: Props<Row>) {
  const { row, index, start, columns, leading, model, selected, template, rowActions } = props;
  const tab = (column: number) => (props.focusColumn === column ? 0 : -1);
  const actions = columns.length + leading;

  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={leading ? selected : undefined}
      style={{
        gridTemplateColumns: template,
        height: ROW_HEIGHT,
        transform: `translateY(${start}px)`,
      }}
      onContextMenu={(event) => {
        const menu = event.currentTarget.querySelector<HTMLElement>("[data-row-menu]");
        if (!menu || (event.target as Element).closest("input, a")) return;
        event.preventDefault();
        menu.click();
      }}
      className={clsx(
        "absolute top-0 left-0 grid w-full border-line border-b",
        selected ? "bg-accent-tint" : "bg-surface hover:bg-hover",
      )}
    >
      {leading > 0 && (
        <div
          role="gridcell"
          aria-colindex={1}
          data-cell={`${index}:0`}
          className="grid place-items-center"
        >
          {model && (
            <SelectBox
              label="Select row"
              data-cell-control=""
              tabIndex={tab(0)}
              checked={selected}
              onChange={model.getToggleSelectedHandler()}
              onFocus={() => props.onFocus({ row: index, column: 0 })}
            />
          )}
        </div>
      )}
      {columns.map((column, order) => (
        <BodyCell
          key={column.id}
          {...props}
          column={column}
          at={order + leading}
          tabIndex={tab(order + leading)}
        />
      ))}
      {rowActions && (
        <div
          role="gridcell"
          aria-colindex={actions + 1}
          data-cell={`${index}:${actions}`}
          className="grid place-items-center"
        >
          {row && (
            <Menu
              entries={rowActions(row)}
              trigger={
                <IconButton
                  label="Row actions"
                  size="sm"
                  data-cell-control=""
                  data-row-menu=""
                  tabIndex={tab(actions)}
                  onFocus={() => props.onFocus({ row: index, column: actions })}
                  icon={<Ellipsis aria-hidden="true" className="size-4" />}
                />
              }
            />
          )}
        </div>
      )}
    </div>
  );
}

function BodyCell<Row extends object>(
  props: Props<Row> & { column: Column<Row>; at: number; tabIndex: number },
) {
  const { row, id, index, column, at, marks, editing, lastRow, onEdited } = props;
  const position = { row: index, column: at };
  const mark = id === null ? undefined : marks.get(cellKey(id, column.id));
  const isEditing = editing?.position.column === at && column.edit !== undefined;

  if (isEditing && column.edit) {
    return (
      <div role="gridcell" aria-colindex={at + 1} className="flex items-center px-1">
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
      onFocus={() => props.onFocus(position)}
      onDoubleClick={() => {
        if (!props.onEdit(position) && row) props.onOpen?.(row);
      }}
      className={clsx(
        "relative flex min-w-0 items-center px-2.5 -outline-offset-2",
        column.align === "end" && "justify-end text-right tabular-nums",
        mark?.state === "error" && "bg-danger-tint",
      )}
    >
      {row ? (
        <div className="min-w-0 truncate">{column.cell(row)}</div>
      ) : (
        <span className="h-3 w-2/3 animate-pulse rounded bg-line" />
      )}
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
