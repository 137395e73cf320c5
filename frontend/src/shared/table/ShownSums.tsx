import type { QueryKey, UseQueryOptions } from "@tanstack/react-query";
import { formatCount } from "@/shared/lib/format";
import { leftOutText, summedWorth, valueText } from "@/shared/lib/worth";
import { useSideQuery } from "@/shared/ui/sideQuery";

type Sums = {
  rows: number;
  lots: number;
  pieces: number;
  value: string;
  lots_without_price: number;
};

/** The totals of all filtered rows of lots, on all pages. */
export function ShownSums<Key extends QueryKey>(props: {
  query: UseQueryOptions<Sums, Error, Sums, Key>;
}) {
  const data = useSideQuery(props.query, "the sums of the list");
  if (!data) return null;
  const { value } = summedWorth({ ...data, total_value: data.value, total_lots: data.lots });
  const figures = [
    [formatCount(data.lots), data.lots === 1 ? "lot" : "lots"],
    [formatCount(data.pieces), data.pieces === 1 ? "piece" : "pieces"],
    [valueText(value), `value${leftOutText(data.lots_without_price)}`],
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
