/** What a pointer does with the row under it: select, open, edit, show its menu. */

import { type MouseEvent, type ReactNode, type RefObject, useState } from "react";
import { elementOf } from "@/shared/lib/records";
import { LazyMenu, type MenuEntry } from "@/shared/ui/Menu";
import type { Position } from "./keyboard";
import type { GridRow } from "./useGridTable";
import { opensHere, type RowsViewProps } from "./view";

type Under<Row extends object> = {
  event: MouseEvent;
  target: Element;
  place: Position;
  index: number;
  row: GridRow<Row>;
};

export function useRowPointer<Row extends object>(
  { rowAt, choice, rowActions, onOpen }: RowsViewProps<Row>,
  options: {
    indexOf: (place: Position) => number;
    /** The element of a row, which contains the button of its menu. */
    rowElement: string;
    /** Starts editing a cell; false where it cannot be edited. */
    edit?: (place: Position) => boolean;
  },
) {
  const menu = useRowMenu(rowActions);
  const onRow = (act: (under: Under<Row>) => void) => (event: MouseEvent) => {
    const target = elementOf(event.target);
    const place = target && placeOf(target);
    if (!place) return;
    const index = options.indexOf(place);
    const row = rowAt(index);
    if (row) act({ event, target, place, index, row });
  };
  return {
    menu: menu.opened,
    handlers: {
      onClick: onRow(({ event, target, index, row }) => {
        if (target.closest("[data-row-box]")) choice?.toggle(row, index, event.shiftKey);
        if (opensHere(event)) onOpen?.(row.original);
        const button = target.closest<HTMLElement>("[data-row-menu]");
        if (button) menu.toggle(row.original, button);
      }),
      onDoubleClick: onRow(({ target, place, row }) => {
        if (target.closest("a, button, input, select")) return;
        if (!options.edit?.(place)) onOpen?.(row.original);
      }),
      onContextMenu: onRow(({ event, target, row }) => {
        const button = target
          .closest(options.rowElement)
          ?.querySelector<HTMLElement>("[data-row-menu]");
        if (!button || target.closest("input, a")) return;
        event.preventDefault();
        menu.toggle(row.original, button);
      }),
      onPointerEnter: menu.preload,
    },
  };
}

/** The position of the body cell that contains an element. */
function placeOf(element: Element): Position | null {
  const [row, column] = (element.closest<HTMLElement>("[data-cell]")?.dataset.cell ?? "")
    .split(":")
    .map(Number);
  return row === undefined || column === undefined || row < 0 ? null : { row, column };
}

/** One menu for all rows, opened beside the button of a row. */

type RowMenu<Row> = { row: Row; anchor: RefObject<HTMLElement | null> };

function useRowMenu<Row>(rowActions: ((row: Row) => readonly MenuEntry[]) | undefined): {
  toggle: (row: Row, button: HTMLElement) => void;
  preload: (() => void) | undefined;
  opened: ReactNode;
} {
  const [open, setOpen] = useState<RowMenu<Row> | null>(null);
  const close = () => {
    open?.anchor.current?.removeAttribute("aria-expanded");
    setOpen(null);
  };
  return {
    toggle: (row, button) => {
      if (open?.anchor.current === button) return close();
      close();
      button.setAttribute("aria-expanded", "true");
      setOpen({ row, anchor: { current: button } });
    },
    preload: rowActions && LazyMenu.preload,
    opened: open && rowActions && (
      <LazyMenu
        key={String(open.anchor.current?.closest("[data-cell]")?.getAttribute("data-cell"))}
        anchor={open.anchor}
        entries={rowActions(open.row)}
        align="end"
        onClose={close}
      />
    ),
  };
}
