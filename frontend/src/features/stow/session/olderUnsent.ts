/**
 * What a version before ec683df3 (25 November 2026) left unsent at the station: rows, and the calls
 * without an answer by "row creation difference".
 */
import { createKeeper } from "@/shared/lib/keeper";
import type { Difference, Row } from "./session";

type OlderRow = Row & { creation: number; inDoubt: unknown; sending: boolean; unsent: boolean };
type Older = {
  rows: readonly OlderRow[];
  sent: readonly (readonly [string, { row: OlderRow; key: string }])[];
};

const keeper = createKeeper<Older>("adds");

/** Takes it once, in the form of today. */
export async function takeOlderUnsent() {
  return (await keeper.takeLeft()).map(({ rows, sent }) => ({
    calls: sent.map(([name, { row, key }]) => {
      const did = name.split(" ").at(-1) as Difference;
      return { key, did, row: rowOf(row), rows: [row.key], group: "" };
    }),
    beside: rows.map(rowOf),
  }));
}

function rowOf({ creation, inDoubt, sending, unsent, ...row }: OlderRow): Row {
  return row;
}
