import type { Owned } from "@/features/catalog/public";
import { counted, formatCount } from "@/shared/lib/format";
import { ConditionTag } from "@/shared/ui/Lot";

/** The person's stock in the chosen colour, by bin. */
export function OwnedList({ owned, lotId }: { owned: readonly Owned[]; lotId: number | null }) {
  const rows = owned.filter((row) => row.lot_id === lotId && row.quantity > 0);
  const pieces = rows.reduce((sum, row) => sum + row.quantity, 0);
  return (
    <section aria-label="In stock" className="flex flex-col gap-1.5 border-line border-t pt-3">
      <h3 className="flex justify-between font-medium text-muted text-xs">
        <span>You own</span>
        <span className="tabular-nums">{pieces > 0 && counted(pieces, "piece")}</span>
      </h3>
      {rows.length === 0 ? (
        <p className="text-muted text-sm">None in this colour.</p>
      ) : (
        <ul className="flex max-h-40 flex-col overflow-y-auto">
          {rows.map((row) => (
            <li key={row.item_id} className="flex items-center gap-3 py-1">
              <span className="w-12 shrink-0 text-right font-semibold tabular-nums">
                {formatCount(row.quantity)}
              </span>
              <ConditionTag condition={row.condition} />
              <span className="min-w-0 flex-1 truncate">{row.location_name || "no bin"}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
