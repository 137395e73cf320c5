import { clsx } from "clsx";
import type { TableState } from "@/shared/table/tableState";

/** Rows that want a look; each is a set of the list's own filters. */
const VIEWS: readonly { label: string; params: Readonly<Record<string, string>> }[] = [
  { label: "No price", params: { unpriced: "true" } },
  { label: "No bin", params: { location: "none" } },
  { label: "Unknown", params: { is_known: "false" } },
  { label: "Far from the market", params: { outlier: "true" } },
  { label: "Old market price", params: { stale_price: "true" } },
  { label: "In several bins", params: { unconsolidated: "true" } },
  { label: "Few left", params: { quantity_max: "5" } },
  {
    label: "Changed since last upload",
    params: { since_sync: "true", show_zero_quantity: "true" },
  },
];
const NONE = Object.fromEntries(
  VIEWS.flatMap(({ params }) => Object.keys(params).map((name) => [name, null])),
);

/** Named views of the stock: one press shows what wants a look. */
export function Views({ table }: { table: TableState }) {
  const present = VIEWS.find(({ params }) =>
    Object.entries(params).every(([name, value]) => table.filters[name] === value),
  );
  const tab = (label: string, chosen: boolean, params: Readonly<Record<string, string>>) => (
    <button
      key={label}
      type="button"
      aria-pressed={chosen}
      onClick={() => table.setFilters({ ...NONE, ...params })}
      className={clsx(
        "-mb-px inline-flex h-10 shrink-0 items-center gap-1.5 border-b-2 font-medium text-sm outline-offset-[-2px]",
        chosen ? "border-accent text-ink" : "border-transparent text-muted hover:text-ink",
      )}
    >
      {label}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not shrink and scroll
    <div
      role="group"
      aria-label="Views"
      className="mb-3 flex min-w-0 gap-5 overflow-x-auto overflow-y-hidden border-line border-b"
    >
      {tab("Everything", !present, {})}
      {VIEWS.map(({ label, params }) => tab(label, label === present?.label, params))}
    </div>
  );
}
