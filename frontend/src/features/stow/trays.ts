/** Trays on the table, one for each aisle of bins, so that equal ways lie together. */
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { onPersonForgotten, PERSONAL } from "@/shared/lib/person";
import type { Bin, Session } from "./session";

/** The aisle of a bin: "B" of "B-07", "A-1" of "A-1-03"; a name without parts is its own. */
export function aisleOf(name: string): string {
  return /^(.+)[-_./ ][^-_./ ]+$/.exec(name)?.[1] ?? name;
}

/** The trays that the person gave to aisles, by scanning a tray's card; kept in this browser. */
export type GivenTrays = Readonly<Record<string, number>>;

const GIVEN = `${PERSONAL}trays`;
const given = createStore<GivenTrays>(() => getSetting<GivenTrays>(GIVEN) ?? {});
onPersonForgotten(() => given.setState({}, true));

export const useGivenTrays = () => useStore(given);

/** From now on what goes the way of this bin waits in that tray, and nothing else does. */
export function giveTray(bin: Bin, tray: number): void {
  const others = Object.entries(given.getState()).filter(([, each]) => each !== tray);
  const next = { ...Object.fromEntries(others), [aisleOf(bin.name)]: tray };
  given.setState(next, true);
  setSetting(GIVEN, next);
}

/**
 * The tray, from 1, that pieces for this bin go to: the one that its aisle was given, else the one
 * that it got when it was first planned for in this sitting, else the next free one. Null without
 * a bin.
 */
export function trayOf(session: Session, bin: Bin | null, trays: GivenTrays = {}): number | null {
  if (!bin) return null;
  const aisle = aisleOf(bin.name);
  const own = trays[aisle];
  if (own !== undefined) return own;
  const planned = session.rows
    .filter((row) => row.bin && !row.stow && row.quantity > 0)
    .map((row) => aisleOf(row.bin?.name ?? ""))
    .reverse();
  const aisles = [...new Set([...planned, aisle])].filter((each) => trays[each] === undefined);
  const taken = new Set(Object.values(trays));
  const free = Array.from({ length: aisles.length + taken.size }, (_, at) => at + 1);
  return free.filter((tray) => !taken.has(tray))[aisles.indexOf(aisle)] ?? null;
}
