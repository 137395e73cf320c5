import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ChevronDown, Plus } from "lucide-react";
import { useState } from "react";
import { profileQueries } from "@/features/profile/public";
import { formatCount } from "@/shared/lib/format";
import type { TableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Menu } from "@/shared/ui/Menu";
import { useSettled } from "@/shared/ui/Settled";
import { useSideQuery, useTellMissing } from "@/shared/ui/sideQuery";
import { tellFailure } from "@/shared/ui/tellFailure";
import { filtersOf, queryOf, showView, useOwnViews } from "./ownViews";
import { inventoryQueries, type Shown } from "./queries";

const SaveView = lazyPart(() => import("./SaveView").then((m) => m.SaveView));

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
/** Views beside *Everything*; the others are in a menu. */
const MOST_IN_ROW = 3;
const NONE = Object.fromEntries(
  VIEWS.flatMap(({ params }) => Object.keys(params).map((name) => [name, null])),
);

/** Named views of the stock, and the person's own: one press shows what wants a look. */
export function Views({ table, shown }: { table: TableState; shown: Shown }) {
  const preferences = useSideQuery(profileQueries.preferences(), "your own views");
  const { views, save, remove } = useOwnViews(preferences);
  const given = useQuery(
    inventoryQueries.counts(shown, [{}, ...VIEWS.map(({ params }) => params)]),
  );
  useTellMissing(given, "how many rows each view has");
  // By itself: the server refuses all where one asks for a filter that there is no more.
  const ofOwn = useQuery({
    ...inventoryQueries.counts(shown, views.map(filtersOf)),
    enabled: views.length > 0,
  });
  useTellMissing(ofOwn, "how many rows your own views have");
  const isSettled = useSettled(given.isLoading || ofOwn.isLoading);
  const [naming, setNaming] = useState(false);
  const query = queryOf(table);
  const own = views.find((view) => view.query === query);
  const present = VIEWS.find(({ params }) =>
    Object.entries(params).every(([name, value]) => table.filters[name] === value),
  );
  const isNamed =
    own !== undefined ||
    (present !== undefined &&
      table.search === "" &&
      Object.keys(table.filters).every((name) => name in present.params));
  // A view without rows asks for no look; the chosen one stays in the row while it empties.
  const offered = [
    ...views.map((view, at) => ({
      label: view.name,
      rows: ofOwn.data?.[at],
      chosen: view === own,
      isOwn: true,
      show: () => showView(table, view),
    })),
    ...VIEWS.map((view, at) => ({
      label: view.label,
      rows: given.data?.[1 + at],
      chosen: !own && view === present,
      isOwn: false,
      show: () => table.setFilters({ ...NONE, ...view.params }),
    })),
  ].filter(({ rows, chosen, isOwn }) => chosen || isOwn || rows);
  const inRow = offered.filter(({ chosen }, at) => chosen || at < MOST_IN_ROW);
  const rest = offered.filter((view) => !inRow.includes(view));
  const tab = (label: string, rows: number | undefined, chosen: boolean, onClick: () => void) => (
    <button
      key={label}
      type="button"
      aria-pressed={chosen}
      onClick={onClick}
      className={clsx(
        "-mb-px inline-flex h-10 shrink-0 items-center gap-1.5 border-b-2 font-medium text-sm outline-offset-[-2px]",
        chosen ? "border-accent text-ink" : "border-transparent text-muted hover:text-ink",
      )}
    >
      {label}
      {rows !== undefined && (
        <span className="font-normal text-muted text-xs tabular-nums">{formatCount(rows)}</span>
      )}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not shrink and scroll
    <div
      role="group"
      aria-label="Views"
      className={clsx(
        "mb-3 flex min-w-0 gap-5 overflow-x-auto overflow-y-hidden border-line border-b",
        // Counts that come later would move the views behind them, never the first.
        !isSettled && "*:not-first:invisible",
      )}
    >
      {tab("Everything", given.data?.[0], !present && !own, () => table.setFilters(NONE))}
      {inRow.map(({ label, rows, chosen, show }) => tab(label, rows, chosen, show))}
      {rest.length > 0 && (
        <Menu
          align="start"
          trigger={
            <Button variant="ghost" size="sm" className="shrink-0 gap-1 self-center">
              More views
              <ChevronDown aria-hidden="true" className="size-4" />
            </Button>
          }
          entries={rest.map(({ label, rows, show }) => ({
            id: label,
            label: `${label} (${formatCount(rows)})`,
            run: show,
          }))}
        />
      )}
      {own && (
        <Button
          variant="ghost"
          size="sm"
          className="shrink-0 self-center"
          onClick={() => void remove(own).catch(tellFailure)}
        >
          Remove view
        </Button>
      )}
      {preferences && table.isNarrowed && !isNamed && (
        <Button
          variant="ghost"
          size="sm"
          className="shrink-0 self-center"
          icon={Plus}
          onClick={() => setNaming(true)}
        >
          Save view
        </Button>
      )}
      {naming && <SaveView query={query} onSave={save} onClose={() => setNaming(false)} />}
    </div>
  );
}
