import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type KeyboardEvent, memo, type PointerEvent, type RefObject } from "react";
import { SelectBox } from "@/shared/ui/Checkbox";
import { headText } from "./column";
import { type DrawnHead, type Frame, STICKY } from "./gridStyle";
import type { HeadContext } from "./headTools";
import type { TableState } from "./tableState";
import type { HeadLayout } from "./useGridTable";
import type { PageChoice } from "./useSelection";

type HeadTools = typeof import("./headTools");

let tools: HeadTools | null = null;
async function loadTools(): Promise<HeadTools> {
  tools ??= await import("./headTools");
  return tools;
}
const preloadTools = () => void loadTools().catch(() => undefined);

type Props = {
  state: TableState;
  layout: HeadLayout;
  columns: readonly DrawnHead[];
  frame: Frame;
  root: RefObject<HTMLElement | null>;
  /** How many rows of the page are selected; null where rows cannot be selected. */
  chosen: PageChoice["page"] | null;
  onChoosePage: (() => void) | undefined;
  /** The head that is in the tab order, or none. */
  focusColumn: number | null;
  /** Of the columns of money. */
  currency: string | undefined;
  say: (text: string) => void;
};

/**
 * The column heads: a click sorts, Shift adds to the order, the edge changes the width, dragging
 * moves the column. By keys: Enter; Alt with arrows; Alt and Shift with arrows.
 */
export const HeaderRow = memo(function HeaderRow(props: Props) {
  const { state, columns, frame, chosen, focusColumn } = props;
  const leading = frame.leading ? 1 : 0;
  const tab = (column: number) => (focusColumn === column ? 0 : -1);

  return (
    <div
      role="row"
      aria-rowindex={1}
      onPointerEnter={preloadTools}
      onFocus={preloadTools}
      className="relative grid h-9 grid-cols-(--columns) border-line border-b bg-sunken font-medium text-muted text-xs"
    >
      {chosen && (
        <div
          role="columnheader"
          aria-colindex={1}
          data-cell="-1:0"
          className={clsx("grid place-items-center", columns[0]?.side === "left" && STICKY)}
          style={{ left: 0 }}
        >
          <SelectBox
            label={state.pageSize === "all" ? "Select all rows" : "Select all rows of this page"}
            data-cell-control=""
            tabIndex={tab(0)}
            disabled={chosen === "empty"}
            checked={chosen === "all"}
            indeterminate={chosen === "some"}
            onChange={props.onChoosePage}
          />
        </div>
      )}
      {columns.map((drawn, index) => (
        <Head
          key={drawn.column.id}
          {...props}
          drawn={drawn}
          at={index + leading}
          tabIndex={tab(index + leading)}
        />
      ))}
      {frame.trailing && (
        <div
          role="columnheader"
          aria-colindex={columns.length + leading + 1}
          className={STICKY}
          style={{ right: 0 }}
        >
          <span className="sr-only">Actions</span>
        </div>
      )}
    </div>
  );
});

function Head(props: Props & { drawn: DrawnHead; at: number; tabIndex: number }) {
  const { state, drawn, at, say } = props;
  const { column } = drawn;
  const sorter = props.layout.sorterOf(column);
  const sorted = sorter?.getIsSorted();
  const head = headText(column, props.currency);

  const context = (): HeadContext | null => {
    const root = props.root.current;
    return root && { layout: props.layout, frame: props.frame, root, say };
  };
  const withTools = (work: (loaded: HeadTools, context: HeadContext) => void) => {
    const held = context();
    if (tools && held) work(tools, held);
    else if (held) void loadTools().then((loaded) => work(loaded, held), preloadTools);
  };
  const sort = (add: boolean) => {
    if (!sorter) return;
    const next = sorter.getNextSortingOrder(add);
    sorter.toggleSorting(undefined, add);
    const way = next === "asc" ? "ascending" : "descending";
    say(next ? `Sorted by ${column.header}, ${way}` : `No longer sorted by ${column.header}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === "Enter" || event.key === " ") && sorter) {
      event.preventDefault();
      sort(event.shiftKey);
    }
    if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      event.preventDefault();
      event.stopPropagation();
      const by = event.key === "ArrowRight" ? 1 : -1;
      withTools((loaded, held) => loaded.pressArrow(by, event.shiftKey, column.id, held));
    }
  };
  const onPointerDown = ({ nativeEvent, currentTarget }: PointerEvent<HTMLElement>) => {
    // Touch scrolls the table; on touch screens the column chooser moves columns.
    if (nativeEvent.button !== 0 || nativeEvent.pointerType === "touch") return;
    withTools((loaded, held) => loaded.dragHead(nativeEvent, currentTarget, column.id, held));
  };
  const onEdgeDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    event.stopPropagation();
    const { nativeEvent, currentTarget } = event;
    withTools((loaded, held) => loaded.dragEdge(nativeEvent, currentTarget, column.id, held));
  };

  return (
    <div
      role="columnheader"
      aria-colindex={at + 1}
      aria-sort={sorted ? (sorted === "asc" ? "ascending" : "descending") : undefined}
      data-cell={`-1:${at}`}
      data-column={column.id}
      tabIndex={props.tabIndex}
      onClick={(event) => sort(event.shiftKey)}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      style={drawn.style}
      className={clsx(
        drawn.className,
        "group select-none gap-1",
        sorter && "cursor-pointer hover:text-ink",
        sorted && "text-ink",
      )}
    >
      <span className="truncate" title={head}>
        {head}
      </span>
      {sorted === "asc" && <ArrowUp aria-hidden="true" className="size-3.5 shrink-0" />}
      {sorted === "desc" && <ArrowDown aria-hidden="true" className="size-3.5 shrink-0" />}
      {sorted && state.sorts.length > 1 && (
        <span className="text-[10px] tabular-nums">{(sorter?.getSortIndex() ?? 0) + 1}</span>
      )}
      <span
        aria-hidden="true"
        data-column-edge=""
        onClick={(event) => event.stopPropagation()}
        onPointerDown={onEdgeDown}
        onDoubleClick={() => withTools((loaded, held) => loaded.fitColumn(column.id, held))}
        className="absolute inset-y-1.5 right-0 w-2 cursor-col-resize touch-none border-line border-r group-hover:border-edge"
      />
    </div>
  );
}
