import { clsx } from "clsx";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useStable } from "@/shared/lib/useStable";

type Place = { left: number; top: number } | { left: number; bottom: number };

/** Height in pixels that a hint of two lines needs below a cell. */
const ROOM = 64;

/**
 * A hint below a cell, drawn above the next rows, which would otherwise cover it. It moves with the
 * cell when the grid scrolls and is hidden while the cell is out of view.
 */
export function CellHint(props: {
  id?: string;
  /** Called once the cell exists. */
  of: () => HTMLElement | null;
  tone: "danger" | "warning" | "plain";
  role?: "alert" | "status" | "tooltip";
  children: ReactNode;
}) {
  const { id, tone, role, children } = props;
  const of = useStable(props.of);
  const [place, setPlace] = useState<Place | null>(null);
  useLayoutEffect(() => {
    const follow = () => setPlace(placeOf(of()));
    follow();
    // Scroll events do not bubble, so this listens in the capture phase.
    window.addEventListener("scroll", follow, true);
    window.addEventListener("resize", follow);
    return () => {
      window.removeEventListener("scroll", follow, true);
      window.removeEventListener("resize", follow);
    };
  }, [of]);
  if (!place) return null;
  return createPortal(
    <span
      id={id}
      role={role}
      style={place}
      className={clsx(
        "z-popover pointer-events-none fixed max-w-72 rounded-control border px-2 py-1 text-xs shadow-float",
        tone === "danger" && "border-danger bg-danger-tint text-danger",
        tone === "warning" && "border-warning bg-warning-tint text-ink",
        tone === "plain" && "border-line bg-raised text-ink tabular-nums",
      )}
    >
      {children}
    </span>,
    document.body,
  );
}

/** Below the cell, or above it at the end of the page; null where the cell is out of view. */
function placeOf(cell: HTMLElement | null): Place | null {
  if (!cell?.isConnected) return null;
  const box = cell.getBoundingClientRect();
  const port = cell.closest<HTMLElement>("[data-grid-port]");
  const seen = port?.getBoundingClientRect();
  // Without a size it has no layout yet.
  if (port && seen?.height) {
    const head = Number.parseFloat(port.style.scrollPaddingTop) || 0;
    const isAbove = box.bottom < seen.top + head;
    if (isAbove || box.top > seen.bottom || box.right < seen.left || box.left > seen.right) {
      return null;
    }
  }
  const { innerHeight } = window;
  return box.bottom + ROOM > innerHeight && box.top > ROOM
    ? { left: box.left, bottom: innerHeight - box.top + 4 }
    : { left: box.left, top: box.bottom + 4 };
}
