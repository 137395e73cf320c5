/** Trays on the table, one for each aisle of bins, so that equal ways lie together. */
import type { Bin, Session } from "./session";

/** The aisle of a bin: "B" of "B-07", "A-1" of "A-1-03"; a name without parts is its own. */
export function aisleOf(name: string): string {
  return /^(.+)[-_./ ][^-_./ ]+$/.exec(name)?.[1] ?? name;
}

/**
 * The tray, from 1, that pieces for this bin go to: the one that its aisle got when it was first
 * planned for in this sitting, else the next one. Null without a bin.
 */
export function trayOf(session: Session, bin: Bin | null): number | null {
  if (!bin) return null;
  const planned = session.rows
    .filter((row) => row.bin && !row.stow && row.quantity > 0)
    .map((row) => aisleOf(row.bin?.name ?? ""))
    .reverse();
  const aisles = [...new Set(planned)];
  const at = aisles.indexOf(aisleOf(bin.name));
  return (at < 0 ? aisles.length : at) + 1;
}
