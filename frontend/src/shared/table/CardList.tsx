import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { ChevronRight, Ellipsis } from "lucide-react";
import { useEffect, useRef } from "react";
import { memberOf } from "@/shared/lib/records";
import { IconButton } from "@/shared/ui/Button";
import { SelectBox } from "@/shared/ui/Checkbox";
import { Menu } from "@/shared/ui/Menu";
import { Loading } from "@/shared/ui/states";
import { type Column, headText } from "./column";
import { OVERSCAN, opensHere, type RowsViewProps } from "./view";

/** The rows on a phone: one card each, with the primary column as its title. */
export function CardList<Row extends object>(props: RowsViewProps<Row>) {
  const { label, rows, rowAt, layout, edits, choice, rowActions, onOpen } = props;
  const viewport = useRef<HTMLDivElement>(null);
  const columns = layout.shown.map(({ columnDef }) => columnDef.meta);
  const primary = columns.find((column) => column.primary) ?? columns[0];
  const briefs = columns.filter(({ brief }) => brief);
  // The columns that the person chose follow the second line.
  const others = columns.filter(
    (column) => column !== primary && (briefs.length === 0 || (column.hidden && !column.brief)),
  );

  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => viewport.current,
    estimateSize: () => 60 + (briefs.length > 0 ? 24 : 0) + others.length * 22,
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const { onView } = rows;
  useEffect(() => onView(first, last), [onView, first, last]);

  if (rows.state === "loading") return <Loading />;
  return (
    <div
      ref={viewport}
      role="group"
      aria-label="Rows"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
      tabIndex={0}
      className="max-h-[calc(100dvh-14rem)] overflow-y-auto overscroll-contain"
    >
      <ul aria-label={label} className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rowAt(index);
          const shown = row && edits.shown(row.id, row.original);
          const selected = row?.getIsSelected() === true;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: by keys its Open button does the same
            <li
              key={row ? row.id : `waiting-${index}`}
              ref={virtual.measureElement}
              data-index={index}
              onClick={(event) => shown && opensHere(event) && onOpen?.(shown)}
              style={{ transform: `translateY(${start}px)` }}
              className={clsx(
                "absolute top-0 left-0 w-full border-line border-b px-3 py-2.5",
                selected && "bg-accent-tint",
              )}
            >
              {row && shown && primary ? (
                <>
                  <div className="flex items-center gap-1.5">
                    {choice && (
                      <SelectBox
                        label="Select row"
                        checked={selected}
                        onChange={({ nativeEvent }) =>
                          choice.toggle(row, index, memberOf(nativeEvent, "shiftKey") === true)
                        }
                      />
                    )}
                    {/* A name has two lines: cut after one, many parts look the same. */}
                    <div className="min-w-0 flex-1 font-medium [&_.truncate]:line-clamp-2 [&_.truncate]:whitespace-normal">
                      {primary.cell(shown)}
                    </div>
                    {rowActions && (
                      <Menu
                        entries={rowActions(shown)}
                        trigger={<IconButton size="sm" label="Row actions" icon={Ellipsis} />}
                      />
                    )}
                    {onOpen && (
                      <IconButton
                        size="sm"
                        label="Open"
                        icon={ChevronRight}
                        onClick={() => onOpen(shown)}
                      />
                    )}
                  </div>
                  <Briefs row={shown} columns={briefs} />
                  <Fields row={shown} columns={others} currency={props.currency} />
                </>
              ) : (
                <span className="block h-3 w-2/3 rounded bg-line" />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

type Shown<Row> = { row: Row; columns: readonly Column<Row>[] };

/** One line. */
function Briefs<Row>({ row, columns }: Shown<Row>) {
  if (columns.length === 0) return null;
  const giving = columns.find(({ briefGivesWay }) => briefGivesWay) ?? columns[0];
  return (
    <p className="mt-0.5 flex items-center gap-x-3 overflow-hidden whitespace-nowrap text-sm tabular-nums">
      {columns.map((column) => (
        <span
          key={column.id}
          className={clsx(
            "empty:hidden",
            column === giving ? "min-w-0 shrink truncate" : "shrink-0",
          )}
        >
          {column.brief?.(row)}
        </span>
      ))}
    </p>
  );
}

function Fields<Row>({ row, columns, currency }: Shown<Row> & { currency?: string }) {
  return (
    <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-xs empty:hidden">
      {columns.map((column) => (
        <div key={column.id} className="col-span-2 grid grid-cols-subgrid items-center">
          <dt className="text-muted">{headText(column, currency)}</dt>
          <dd className="min-w-0 flex justify-end break-words text-right tabular-nums">
            {column.cell(row)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
