import { useQuery } from "@tanstack/react-query";
import { totalOf } from "@/shared/api/envelope";
import { formatCount } from "@/shared/lib/format";
import { ColorName } from "@/shared/ui/Lot";
import { SimpleTable } from "@/shared/ui/SimpleTable";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import type { LeftOutLine, UserSet } from "./model";
import { setQueries } from "./queries";

const kindNames: Record<LeftOutLine["kind"], string> = {
  spare: "Spare",
  alternate: "Alternate",
  counterpart: "Counterpart",
};

/** What the catalogue lists beside the required parts. */
export function LeftOutTable({ set }: { set: UserSet }) {
  const { data, error, refetch } = useQuery(setQueries.leftOut(set.id));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const total = totalOf(data);
  if (total === 0) {
    return <EmptyState title="The catalogue lists no spares, alternates or counterparts" />;
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-prose text-muted text-sm">
        A set is complete without these. Spares are extra pieces in the bag. An alternate replaces
        the part with the same match number. Counterparts are parts of this list, assembled.
      </p>
      <SimpleTable
        caption="Parts that do not count"
        maxHeight="none"
        rows={data.data}
        getKey={({ id }) => id}
        columns={[
          { header: "Kind", cell: ({ kind }) => kindNames[kind] },
          {
            header: "Part",
            grow: true,
            cell: (line) => `${line.item_name} (${line.item_number})`,
          },
          {
            header: "Colour",
            cell: (line) => <ColorName name={line.color_name} html={line.color_html} />,
          },
          { header: "Match", align: "end", cell: (line) => line.match_id || "–" },
          { header: "Qty", align: "end", cell: (line) => formatCount(line.quantity) },
        ]}
      />
      {total > data.data.length && (
        <p className="text-muted text-xs">
          The first {formatCount(data.data.length)} of {formatCount(total)} are shown.
        </p>
      )}
    </div>
  );
}

/** The minifigs that it requires whole, with their parts and what of them is in stock. */
export function MinifigTable({ set }: { set: UserSet }) {
  const minifigs = useQuery(setQueries.minifigs(set.id));
  const parts = useQuery(setQueries.minifigParts(set.id));
  const error = minifigs.error ?? parts.error;
  if (error) {
    const again = () => void Promise.all([minifigs.refetch(), parts.refetch()]);
    return <ErrorState error={error} onRetry={again} />;
  }
  if (!minifigs.data || !parts.data) return <Loading />;
  if (minifigs.data.length === 0) {
    return (
      <EmptyState title="No minifigs">
        {set.minifigs_as === "parts" && "They count by their parts: see Parts."}
      </EmptyState>
    );
  }
  return (
    <ul className="grid gap-4 xl:grid-cols-2">
      {minifigs.data.map((minifig) => {
        const own = parts.data.data.filter((part) => part.minifig_lot_id === minifig.lot_id);
        return (
          <li key={minifig.id} className="flex min-w-0 flex-col gap-2">
            <p className="flex items-baseline justify-between gap-3 text-sm">
              <span className="min-w-0 truncate font-medium" title={minifig.item_name}>
                {minifig.item_name}{" "}
                <span className="font-mono text-muted text-xs">{minifig.item_number}</span>
              </span>
              <span className="shrink-0 tabular-nums">
                {formatCount(minifig.quantity_on_hand)} of {formatCount(minifig.quantity_required)}
              </span>
            </p>
            {own.length === 0 ? (
              <p className="text-muted text-xs">The catalogue does not list its parts.</p>
            ) : (
              <SimpleTable
                caption={`Parts of ${minifig.item_name}`}
                rows={own}
                getKey={({ id }) => id}
                columns={[
                  {
                    header: "Part",
                    grow: true,
                    cell: (part) => `${part.item_name} (${part.item_number})`,
                  },
                  {
                    header: "Colour",
                    cell: (part) => <ColorName name={part.color_name} html={part.color_html} />,
                  },
                  { header: "Each", align: "end", cell: (part) => formatCount(part.quantity) },
                  { header: "In stock", align: "end", cell: (part) => formatCount(part.in_stock) },
                ]}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
