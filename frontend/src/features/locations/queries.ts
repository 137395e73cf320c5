import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { pagesOf } from "@/shared/api/pages";
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
  twins: () =>
    queryOptions({
      queryKey: ["locations", "twins"],
      queryFn: async ({ signal }) => (await api.get("inventoryLocations/twins", { signal })).data,
    }),
  detail: (id: number) =>
    queryOptions({
      queryKey: ["locations", "detail", id],
      queryFn: async ({ signal }) =>
        one(await api.get("inventoryLocations/{id}", { path: { id }, signal })),
    }),
  /** The most pieces for locations, learnt from what they and others of their types hold. */
  suggestedLimit: (of: LocationsAsked) =>
    queryOptions({
      queryKey: ["locations", "suggestedLimit", of],
      queryFn: async ({ signal }) =>
        one(await api.post("inventoryLocations/suggestLimit", { body: of, signal })),
    }),
  /**
   * Items that a location holds in several colours; under the stock's keys, because they change
   * with it.
   */
  lookAlikes: (id: number) =>
    queryOptions({
      queryKey: ["inventory", "lookAlikes", id],
      queryFn: async ({ signal }) =>
        (await api.get("inventoryLocations/{id}/lookAlikes", { path: { id }, signal })).data,
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
  pick: (search: string) =>
    queryOptions({
      queryKey: ["locations", "pick", search],
      queryFn: async ({ signal }) => {
        const params = { page_size: 20, ordering: "name", ...(search && { search }) };
        return (await api.get("inventoryLocations", { query: params, signal })).data;
      },
      placeholderData: keepPreviousData,
    }),
  /** All that the filters leave, as much of each as the map draws. */
  map: (filters: Filters) =>
    queryOptions({
      queryKey: ["locations", "map", filters],
      queryFn: async ({ signal }) =>
        (await api.get("inventoryLocations/map", { filters, signal })).data,
      placeholderData: keepPreviousData,
    }),
  labelLayouts: () =>
    queryOptions({
      queryKey: ["locations", "labelLayouts"],
      queryFn: async ({ signal }) => (await api.get("labelLayouts", { signal })).data,
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
          return one(await api.post("batches/labels", { body: { ...body, ids }, signal }));
        }
        const filters = labelFilters(choice);
        return one(await api.post("inventoryLocations/labels", { body, filters, signal }));
      },
      placeholderData: keepPreviousData,
    }),
  pattern: (request: PatternRequest) =>
    queryOptions({
      queryKey: ["locations", "pattern", request],
      queryFn: async ({ signal }) =>
        one(
          await api.post("inventoryLocations/pattern", {
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
  twins: () =>
    queryOptions({
      queryKey: ["containerTypes", "twins"],
      queryFn: async ({ signal }) =>
        (await api.get("inventoryContainerTypes/twins", { signal })).data,
    }),
  list: () =>
    queryOptions({
      queryKey: ["containerTypes", "list"],
      queryFn: async ({ signal }) => {
        const params = { page_size: 500, ordering: "name" };
        return (await api.get("inventoryContainerTypes", { query: params, signal })).data;
      },
    }),
};

export const fetchLocations = (params: ListParams, signal: AbortSignal) =>
  api.get("inventoryLocations", { filters: params, signal });
