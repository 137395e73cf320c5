/** One menu for all rows, opened beside the button of a row. */
import { type ReactNode, type RefObject, useState } from "react";
import { LazyMenu, type MenuEntry } from "@/shared/ui/Menu";

type Opened<Row> = { row: Row; anchor: RefObject<HTMLElement | null> };

export function useRowMenu<Row>(rowActions: ((row: Row) => readonly MenuEntry[]) | undefined): {
  toggle: (row: Row, button: HTMLElement) => void;
  preload: (() => void) | undefined;
  opened: ReactNode;
} {
  const [open, setOpen] = useState<Opened<Row> | null>(null);
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
