/** Figures of the reports in words. Pure. */
import { isNamed } from "@/shared/lib/names";
import type { StockLine } from "./model";

/** "40 %" of a share such as "0.4000". */
export function percent(share: string | null): string {
  return share === null ? "–" : `${Math.round(Number(share) * 100)} %`;
}

export type AgeRow = { age: string; lots: number; cells: Record<"A" | "B" | "C", StockLine> };

/** The stock as a table: a row for each age, a cell for each class. */
export function byAge(lines: readonly StockLine[]): AgeRow[] {
  const rows = new Map<string, AgeRow>();
  for (const line of lines) {
    const none = { age: line.age, lots: 0, pieces: 0, value: "0", lots_without_price: 0 };
    const row = rows.get(line.age) ?? {
      age: line.age,
      lots: 0,
      cells: {
        A: { ...none, class: "A" },
        B: { ...none, class: "B" },
        C: { ...none, class: "C" },
      },
    };
    if (isNamed(row.cells, line.class)) row.cells[line.class] = line;
    row.lots += line.lots;
    rows.set(line.age, row);
  }
  return [...rows.values()];
}
