import { ArrowDown, ArrowUp, PanelLeft, PanelRight } from "lucide-react";
import type { KeyboardEvent } from "react";
import { Button, IconButton } from "@/shared/ui/Button";
import { SelectBox } from "@/shared/ui/Checkbox";
import type { Side } from "./column";
import { moveColumn } from "./columnMoves";
import type { GridHead, HeadLayout } from "./useGridTable";

const ends = { left: "start", right: "end" } as const;

/**
 * Which columns are shown, in what order and pinned to which side; stored for this table in this
 * browser.
 */
export function ColumnChooser(props: { layout: HeadLayout; say: (text: string) => void }) {
  const { layout, say } = props;
  const { all } = layout;

  const step = (index: number, by: 1 | -1) => {
    const [own, other] = [all[index], all[index + by]];
    if (own && other) moveColumn(layout, own.id, other.id, say);
  };
  /** Alt and an arrow move the focused row's column; the focus moves with it. */
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null;
    if (!event.altKey || by === null) return;
    event.preventDefault();
    step(index, by);
  };
  const pin = (column: GridHead, to: Side) => {
    const isPinned = column.getIsPinned() === ends[to];
    const { header } = column.columnDef.meta;
    column.pin(isPinned ? false : ends[to]);
    say(isPinned ? `${header} is no longer pinned` : `${header} pinned to the ${to}`);
  };

  return (
    <>
      <ul className="flex flex-col">
        {all.map((column, index) => {
          const name = column.columnDef.meta.header;
          const pinned = column.getIsPinned();
          return (
            <li
              key={column.id}
              onKeyDown={(event) => onKeyDown(event, index)}
              className="flex items-center gap-1.5 pointer-coarse:py-1"
            >
              <SelectBox
                label={`Show ${name}`}
                checked={column.getIsVisible()}
                disabled={!column.getCanHide()}
                onChange={() => column.toggleVisibility()}
              />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {(["left", "right"] as const).map((to) => (
                <IconButton
                  key={to}
                  size="sm"
                  variant="ghost"
                  label={`Pin ${name} to the ${to}`}
                  aria-pressed={pinned === ends[to]}
                  className={pinned === ends[to] ? "bg-accent-tint text-accent-ink" : "text-muted"}
                  icon={
                    to === "left" ? (
                      <PanelLeft aria-hidden="true" className="size-3.5" />
                    ) : (
                      <PanelRight aria-hidden="true" className="size-3.5" />
                    )
                  }
                  onClick={() => pin(column, to)}
                />
              ))}
              <IconButton
                size="sm"
                label={`Move ${name} up`}
                icon={<ArrowUp aria-hidden="true" className="size-3.5" />}
                disabledReason={index === 0 && "It is the first column"}
                onClick={() => step(index, -1)}
              />
              <IconButton
                size="sm"
                label={`Move ${name} down`}
                icon={<ArrowDown aria-hidden="true" className="size-3.5" />}
                disabledReason={index === all.length - 1 && "It is the last column"}
                onClick={() => step(index, 1)}
              />
            </li>
          );
        })}
      </ul>
      <p className="mt-2 text-muted text-xs">
        In the table: drag a head to move it, its edge for the width; double click on the edge fits.
        By keys on a head: Alt and arrows, with Shift to move. Here: Alt and arrows move.
      </p>
      <Button
        size="sm"
        className="mt-2 w-full"
        disabledReason={!layout.isChanged && "The columns are in their default arrangement"}
        onClick={() => {
          layout.reset();
          say("Columns are in their default arrangement");
        }}
      >
        Reset columns
      </Button>
    </>
  );
}
