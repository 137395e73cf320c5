import { formatCount } from "@/shared/lib/format";
import { leftOutText, valueText } from "@/shared/lib/worth";
import type { TableState } from "@/shared/table/tableState";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { inventoryQueries, type Shown } from "./queries";

/** The totals of all filtered rows, on all pages. */
export function ShownSums({ table, shown }: { table: TableState; shown: Shown }) {
  const data = useSideQuery(inventoryQueries.sums(shown, table.params), "the sums of the list");
  if (!data) return null;
  const figures = [
    [formatCount(data.rows), data.rows === 1 ? "lot" : "lots"],
    [formatCount(data.pieces), data.pieces === 1 ? "piece" : "pieces"],
    [valueText(data.value), `value${leftOutText(data.lots_without_price)}`],
  ];
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {figures.map(([figure, words]) => (
        <span key={words} className="text-muted">
          <strong className="font-semibold text-ink tabular-nums">{figure}</strong> {words}
        </span>
      ))}
    </p>
  );
}
