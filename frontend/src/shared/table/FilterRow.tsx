import { clsx } from "clsx";
import { FunnelX } from "lucide-react";
import { IconButton } from "@/shared/ui/Button";
import { FilterField } from "./FilterField";
import { type DrawnHead, type Frame, STICKY } from "./gridStyle";
import type { TableState } from "./tableState";

/** Filter controls under the column heads. Keys in them belong to the controls. */
export function FilterRow(props: {
  state: TableState;
  columns: readonly DrawnHead[];
  frame: Frame;
}) {
  const { state, columns, frame } = props;
  const leading = frame.leading ? 1 : 0;
  return (
    <div
      role="row"
      aria-rowindex={2}
      data-own-keys=""
      className="grid h-11 grid-cols-(--columns) border-line border-b bg-sunken"
    >
      {frame.leading && <div role="gridcell" aria-colindex={1} />}
      {columns.map(({ column, side, style }, index) => (
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={index + leading + 1}
          style={style}
          className={clsx("flex min-w-0 items-center px-1", side && STICKY)}
        >
          {column.filter && (
            <FilterField header={column.header} filter={column.filter} state={state} hideLabel />
          )}
        </div>
      ))}
      {frame.trailing && (
        <div
          role="gridcell"
          aria-colindex={columns.length + leading + 1}
          className={`grid place-items-center ${STICKY}`}
          style={{ right: 0 }}
        >
          <IconButton
            size="sm"
            label="Clear search and filters"
            icon={FunnelX}
            disabledReason={!state.isNarrowed && "No filter is on"}
            onClick={state.clearNarrowing}
          />
        </div>
      )}
    </div>
  );
}
