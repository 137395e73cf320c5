import { X } from "lucide-react";
import { Button } from "@/shared/ui/Button";
import type { ActiveFilter } from "./filters";
import type { TableState } from "./tableState";

/** The active column filters, each with a button that removes it, and a button that removes all. */
export function FilterChips({ active, state }: { active: ActiveFilter[]; state: TableState }) {
  const off = (filters: readonly ActiveFilter[]) =>
    state.setFilters(
      Object.fromEntries(filters.flatMap(({ params }) => params).map((name) => [name, null])),
    );
  return (
    <ul aria-label="Filters" className="flex flex-wrap items-center gap-1.5">
      {active.map((filter) => (
        <li key={filter.id}>
          <Button
            size="sm"
            aria-label={`Remove filter: ${filter.text}`}
            icon={<X aria-hidden="true" className="size-3.5" />}
            onClick={() => off([filter])}
          >
            {filter.text}
          </Button>
        </li>
      ))}
      <li>
        <Button size="sm" variant="ghost" onClick={state.clearNarrowing}>
          Clear all
        </Button>
      </li>
    </ul>
  );
}
