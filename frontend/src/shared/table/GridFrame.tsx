import { clsx } from "clsx";
import type { HTMLAttributes, ReactNode, RefObject } from "react";
import type { RowsViewProps } from "./view";

/** What is around the rows of a grid or of tiles: what scrolls, and the grid for screen readers. */
export function GridFrame<Row extends object>(props: {
  view: RowsViewProps<Row>;
  viewport: RefObject<HTMLDivElement | null>;
  root: RefObject<HTMLDivElement | null>;
  rowCount: number;
  columnCount: number;
  /** Of the element that scrolls. */
  port: HTMLAttributes<HTMLDivElement>;
  /** Of the grid. */
  grid: HTMLAttributes<HTMLDivElement>;
  menu: ReactNode;
  children: ReactNode;
}) {
  const { rows, label, choice, canEdit } = props.view;
  const loading = rows.state === "loading";
  return (
    <div
      ref={props.viewport}
      {...props.port}
      className={clsx(
        props.port.className,
        "max-h-[calc(100dvh-18rem)] in-data-selecting:max-h-[calc(100dvh-21rem)] overscroll-contain",
        loading && "min-h-64",
      )}
    >
      <div
        ref={props.root}
        role="grid"
        tabIndex={-1}
        aria-label={label}
        aria-rowcount={loading ? -1 : props.rowCount}
        aria-colcount={props.columnCount}
        aria-busy={loading || rows.stale}
        aria-readonly={canEdit ? undefined : true}
        aria-multiselectable={choice ? true : undefined}
        {...props.grid}
      >
        {props.children}
      </div>
      {props.menu}
      {loading && (
        <p role="status" data-loading="" className="sr-only">
          Loading...
        </p>
      )}
    </div>
  );
}
