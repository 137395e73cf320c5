/**
 * Trays on the table, one for each aisle of bins, so that pieces for one aisle are collected
 * together.
 */
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { Bin } from "@/features/locations/public";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { onPersonForgotten, PERSONAL } from "@/shared/lib/person";
import type { Session } from "../session/session";

/** The aisle of a bin: "B" of "B-07", "A-1" of "A-1-03"; a name without parts is its own aisle. */
export function aisleOf(name: string): string {
  return /^(.+)[-_./ ][^-_./ ]+$/.exec(name)?.[1] ?? name;
}

/**
 * The trays that the person assigned to aisles by scanning a tray's card; stored in this browser.
 */
export type GivenTrays = Readonly<Record<string, number>>;

const GIVEN = `${PERSONAL}trays`;
const given = createStore<GivenTrays>(() => getSetting<GivenTrays>(GIVEN) ?? {});
onPersonForgotten(() => given.setState({}, true));

export const useGivenTrays = () => useStore(given);

/** Assigns the tray to the aisle of this bin, and to no other aisle. */
export function giveTray(bin: Bin, tray: number): void {
  const others = Object.entries(given.getState()).filter(([, each]) => each !== tray);
  const next = { ...Object.fromEntries(others), [aisleOf(bin.name)]: tray };
  given.setState(next, true);
  setSetting(GIVEN, next);
}

/**
 * The tray, from 1, for the pieces of this bin: the one assigned to its aisle, otherwise the one of
 * the aisle's first plan in this session, otherwise the next free one. Null without a bin.
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
