/** The person's own views of the stock: filters, search and order under a name. */

import { useQueryClient } from "@tanstack/react-query";
import { type Preferences, profileQueries, useSavePreferences } from "@/features/profile/public";
import { browserZone } from "@/shared/lib/format";
import { invalidate } from "@/shared/lib/tags";
import type { TableState } from "@/shared/table/tableState";
import { toast } from "@/shared/ui/toast";

export type OwnView = Preferences["inventory_views"][number];

/** What a table shows, in the way that a view keeps it. */
export function queryOf({ params }: TableState): string {
  const { page: _page, page_size: _size, time_zone: _zone, ...shown } = params;
  const query = new URLSearchParams();
  for (const name of Object.keys(shown).sort()) query.set(name, String(shown[name]));
  return query.toString();
}

/** What a view narrows the list by, by this browser's days; its order is no filter. */
export function filtersOf({ query }: OwnView): Record<string, string> {
  const { ordering: _ordering, ...filters } = Object.fromEntries(new URLSearchParams(query));
  return { ...filters, time_zone: browserZone() };
}

/** Shows a view and nothing of what was narrowed before. */
export function showView(table: TableState, { query }: OwnView): void {
  const before = Object.keys(table.filters).map((name) => [name, null]);
  const {
    search = null,
    ordering = null,
    ...filters
  } = Object.fromEntries(new URLSearchParams(query));
  table.setFilters({ ...Object.fromEntries(before), search, ordering, ...filters });
}

/** Saves and removes views; the toast undoes both. Rejects with the server's refusal. */
export function useOwnViews(preferences: Preferences | undefined) {
  const queryClient = useQueryClient();
  const { mutateAsync } = useSavePreferences();
  const views = preferences?.inventory_views ?? [];

  const keep = async (inventory_views: readonly OwnView[]) => {
    try {
      await mutateAsync({ inventory_views: [...inventory_views] });
    } catch (error) {
      void invalidate(queryClient, profileQueries.preferences().queryKey);
      throw error;
    }
  };
  const change = async (next: readonly OwnView[], words: string) => {
    await keep(next);
    toast.success(words, { action: { label: "Undo", run: () => keep(views) } });
  };
  const isNamed = (name: string) => (view: OwnView) =>
    view.name.toLowerCase() === name.toLowerCase();
  return {
    views,
    save: (view: OwnView) => {
      const isThere = views.some(isNamed(view.name));
      const next = isThere
        ? views.map((one) => (isNamed(view.name)(one) ? view : one))
        : [...views, view];
      return change(next, isThere ? `View ${view.name} replaced` : `View ${view.name} saved`);
    },
    remove: (view: OwnView) =>
      change(
        views.filter((one) => one !== view),
        `View ${view.name} removed`,
      ),
  };
}
