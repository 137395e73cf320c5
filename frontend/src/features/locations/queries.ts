import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { pagesOf, queryOne, queryRows } from "@/shared/api/queries";
import type { BodyOf, Filters, Schema } from "@/shared/api/wire";
import type { ListParams } from "@/shared/table/column";
import { type LabelPlan, type LabelRequest, labelFilters } from "./labels";

export type PatternPreview = Schema<"PatternRow">;

export type PatternRequest = Required<
  Pick<Schema<"PatternWriteRequest">, "pattern" | "inventory_container_type_id">
>;

/** Some locations: chosen ones, or all that match the list's filters. */
export type LocationsAsked = Pick<
  BodyOf<"post", "inventoryLocations/suggestLimit">,
  "ids" | "filter"
>;

export const locationQueries = {
  lists: () => ["locations", "list"] as const,
  /** Locations whose names differ only in capitals. */
  twins: () => queryRows(["locations", "twins"], "inventoryLocations/twins"),
  detail: (id: number) =>
    queryOne(["locations", "detail", id], "inventoryLocations/{id}", { path: { id } }),
  /** The most pieces for locations, learnt from what they and others of their types hold. */
  suggestedLimit: (of: LocationsAsked) =>
    queryOptions({
      queryKey: ["locations", "suggestedLimit", of],
      queryFn: async ({ signal }) =>
        one(await api.ask("inventoryLocations/suggestLimit", { body: of, signal })),
    }),
  /**
   * Items that a location holds in several colours; under the stock's keys, because they change
   * with it.
   */
  lookAlikes: (id: number) =>
    queryRows(["inventory", "lookAlikes", id], "inventoryLocations/{id}/lookAlikes", {
      path: { id },
    }),
  movements: (id: number) =>
    pagesOf(["inventory", "locationMovements", id], 50, "inventoryLocations/{id}/movements", {
      path: { id },
    }),
  /** The location whose label was scanned, or null. A scanner may have changed its case. */
  scanned: (code: string) =>
    queryOptions({
      queryKey: ["locations", "scanned", code],
      queryFn: async ({ signal }) => {
        const { data } = await api.get("inventoryLocations", { query: { code }, signal });
        return data.find((location) => location.code === code) ?? data[0] ?? null;
      },
      staleTime: 0,
    }),
  /** The locations that match what is typed, in natural order. */
  pick: (search: string) => ({
    ...queryRows(["locations", "pick", search], "inventoryLocations", {
      query: { page_size: 20, ordering: "name", ...(search && { search }) },
    }),
    placeholderData: keepPreviousData,
  }),
  /** All that the filters leave, as much of each as the map draws. */
  map: (filters: Filters) => ({
    ...queryRows(["locations", "map", filters], "inventoryLocations/map", { filters }),
    // Others put things into the bins, too: a map that is opened is the present one.
    staleTime: 0,
    placeholderData: keepPreviousData,
  }),
  /** Pictures of what lies in some locations; under the stock's keys, which it changes with. */
  faces: (ids: readonly number[]) =>
    queryOptions({
      queryKey: ["inventory", "faces", ids],
      queryFn: async ({ signal }) => {
        const body = { ids: [...ids] };
        return (await api.ask("inventoryLocations/faces", { body, signal })).data;
      },
      placeholderData: keepPreviousData,
    }),
  /** The locations of rows of stock that match a search, of the first 500 of them. */
  holding: (search: string) =>
    queryOptions({
      queryKey: ["inventory", "holding", search],
      queryFn: async ({ signal }) => {
        const query = { search, page_size: 500 };
        const { data } = await api.get("inventoryItems", { query, signal });
        return data.flatMap(({ location_id }) => location_id ?? []);
      },
      placeholderData: keepPreviousData,
    }),
  labelLayouts: () => ({
    ...queryRows(["locations", "labelLayouts"], "labelLayouts"),
    staleTime: Number.POSITIVE_INFINITY,
  }),
  /** What printing would give, without printing it. */
  labelPlan: (request: LabelRequest) =>
    queryOptions({
      queryKey: ["locations", "labelPlan", request],
      queryFn: async ({ signal }): Promise<LabelPlan> => {
        const { choice } = request;
        const body = { ...request.body, dry_run: true };
        if (choice.of === "batches") {
          const ids = choice.ids ?? [];
          return one(await api.ask("batches/labels", { body: { ...body, ids }, signal }));
        }
        const filters = labelFilters(choice);
        return one(await api.ask("inventoryLocations/labels", { body, filters, signal }));
      },
      placeholderData: keepPreviousData,
    }),
  pattern: (request: PatternRequest) =>
    queryOptions({
      queryKey: ["locations", "pattern", request],
      queryFn: async ({ signal }) =>
        one(
          await api.ask("inventoryLocations/pattern", {
            body: { ...request, dry_run: true },
            signal,
          }),
        ),
      enabled: request.pattern.trim() !== "",
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
};

export const containerTypeQueries = {
  /** Types whose names differ only in capitals. */
  twins: () => queryRows(["containerTypes", "twins"], "inventoryContainerTypes/twins"),
  list: () =>
    queryRows(["containerTypes", "list"], "inventoryContainerTypes", {
      query: { page_size: 500, ordering: "name" },
    }),
};

export const fetchLocations = (params: ListParams, signal: AbortSignal) =>
  api.get("inventoryLocations", { filters: params, signal });
