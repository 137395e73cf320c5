import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { pagesOf } from "@/shared/api/pages";
import type { ListParams } from "@/shared/table/column";
import type { TwinGroup } from "@/shared/ui/CaseTwins";
import type { LabelLayout, LabelPlan, LabelRequest } from "./labels";
import type { ContainerType, Location, LocationMovement, LookAlike, MapCell } from "./model";

export type PatternPreview = {
  /** Locations that would be made. */
  count: number;
  /** The first 200 of them. */
  names: string[];
  /** Names that exist already and stay as they are. */
  existing_count: number;
};

export type PatternRequest = {
  pattern: string;
  inventory_container_type_id: number | null;
};

export const locationQueries = {
  all: () => ["locations"] as const,
  lists: () => ["locations", "list"] as const,
  /** Locations whose names differ only in capitals. */
  twins: () =>
    queryOptions({
      queryKey: ["locations", "twins"],
      queryFn: async ({ signal }) =>
        (await api.get<TwinGroup>("inventoryLocations/twins", undefined, { signal })).data,
    }),
  detail: (id: number) =>
    queryOptions({
      queryKey: ["locations", "detail", id],
      queryFn: async ({ signal }) =>
        one(await api.get<Location>(`inventoryLocations/${id}`, undefined, { signal })),
    }),
  /** Items that lie there in several colours; under the stock's keys, with which they change. */
  lookAlikes: (id: number) =>
    queryOptions({
      queryKey: ["inventory", "lookAlikes", id],
      queryFn: async ({ signal }) =>
        (await api.get<LookAlike>(`inventoryLocations/${id}/lookAlikes`, undefined, { signal }))
          .data,
    }),
  movements: (id: number) =>
    pagesOf<LocationMovement>(
      ["inventory", "locationMovements", id],
      `inventoryLocations/${id}/movements`,
      50,
    ),
  /** The location whose label was scanned, or null. A scanner may have changed its case. */
  scanned: (code: string) =>
    queryOptions({
      queryKey: ["locations", "scanned", code],
      queryFn: async ({ signal }) => {
        const { data } = await api.get<Location>("inventoryLocations", { code }, { signal });
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
        return (await api.get<Location>("inventoryLocations", params, { signal })).data;
      },
      placeholderData: keepPreviousData,
    }),
  /** All that the filters leave, as much of each as the map draws. */
  map: (params: Record<string, string | number | undefined>) =>
    queryOptions({
      queryKey: ["locations", "map", params],
      queryFn: async ({ signal }) =>
        (await api.get<MapCell>("inventoryLocations/map", params, { signal })).data,
      placeholderData: keepPreviousData,
    }),
  labelLayouts: () =>
    queryOptions({
      queryKey: ["locations", "labelLayouts"],
      queryFn: async ({ signal }) =>
        (await api.get<LabelLayout>("labelLayouts", undefined, { signal })).data,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** What printing would give, without printing it. */
  labelPlan: (request: LabelRequest) =>
    queryOptions({
      queryKey: ["locations", "labelPlan", request],
      queryFn: async ({ signal }) => {
        const { address, ...body } = request;
        return one(await api.post<LabelPlan>(address, { ...body, dry_run: true }, { signal }));
      },
      placeholderData: keepPreviousData,
    }),
  pattern: (request: PatternRequest) =>
    queryOptions({
      queryKey: ["locations", "pattern", request],
      queryFn: async ({ signal }) =>
        one(
          await api.post<PatternPreview>(
            "inventoryLocations/pattern",
            { ...request, dry_run: true },
            { signal },
          ),
        ),
      enabled: request.pattern.trim() !== "",
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
};

export const containerTypeQueries = {
  all: () => ["containerTypes"] as const,
  /** Types whose names differ only in capitals. */
  twins: () =>
    queryOptions({
      queryKey: ["containerTypes", "twins"],
      queryFn: async ({ signal }) =>
        (await api.get<TwinGroup>("inventoryContainerTypes/twins", undefined, { signal })).data,
    }),
  list: () =>
    queryOptions({
      queryKey: ["containerTypes", "list"],
      queryFn: async ({ signal }) => {
        const params = { page_size: 500, ordering: "name" };
        return (await api.get<ContainerType>("inventoryContainerTypes", params, { signal })).data;
      },
    }),
};

export const fetchLocations = (params: ListParams, signal: AbortSignal) =>
  api.get<Location>("inventoryLocations", params, { signal });
