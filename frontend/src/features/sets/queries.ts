import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Region } from "@/shared/lib/regions";
import type { ListParams, RowSource } from "@/shared/table/column";
import type { Condition } from "@/shared/ui/Lot";
import type {
  BuildableSet,
  BuildSearch,
  LeftOutLine,
  MinifigPart,
  PartedOut,
  SetOverview,
  SetPart,
  SetSummary,
  SetTake,
  Taken,
  UserSet,
} from "./model";

/** As many as a page of the server holds. */
const MOST = 500;

export const setQueries = {
  /** The station's set destinations lie under it too. */
  all: () => ["userSets"] as const,
  lists: () => ["userSets", "list"] as const,
  detail: (id: number) =>
    queryOptions({
      queryKey: ["userSets", "detail", id],
      queryFn: async ({ signal }) =>
        one(await api.get<UserSet>(`userSets/${id}`, undefined, { signal })),
    }),
  cards: (params: ListParams) =>
    queryOptions({
      queryKey: ["userSets", "list", "cards", params],
      queryFn: ({ signal }) => api.get<UserSet>("userSets", params, { signal }),
      placeholderData: keepPreviousData,
    }),
  /** Under the lists: whatever changes them changes it. */
  overview: () =>
    queryOptions({
      queryKey: ["userSets", "list", "overview"],
      queryFn: async ({ signal }) =>
        one(await api.get<SetOverview>("userSets/overview", undefined, { signal })),
    }),
  summary: (id: number, by: { condition: Condition; region?: Region }) =>
    queryOptions({
      queryKey: ["userSets", "summary", id, by],
      queryFn: async ({ signal }) =>
        one(await api.get<SetSummary>(`userSets/${id}/summary`, by, { signal })),
      placeholderData: keepPreviousData,
    }),
  leftOut: (id: number) =>
    queryOptions({
      queryKey: ["userSets", "leftOut", id],
      queryFn: async ({ signal }) =>
        api.get<LeftOutLine>(`userSets/${id}/leftOut`, { page_size: MOST }, { signal }),
    }),
  minifigParts: (id: number) =>
    queryOptions({
      queryKey: ["userSets", "minifigParts", id],
      queryFn: async ({ signal }) =>
        api.get<MinifigPart>(`userSets/${id}/minifigParts`, { page_size: MOST }, { signal }),
    }),
  minifigs: (id: number) =>
    queryOptions({
      queryKey: ["userSets", "minifigs", id],
      queryFn: async ({ signal }) => {
        const params = { user_set: id, kind: "minifig", ordering: "number", page_size: MOST };
        return (await api.get<SetPart>("userSetParts", params, { signal })).data;
      },
    }),
  takes: (id: number) =>
    queryOptions({
      queryKey: ["userSets", "takes", id],
      queryFn: async ({ signal }) =>
        (await api.get<SetTake>(`userSets/${id}/takes`, undefined, { signal })).data,
    }),
  /** What would come out of stock, and from where. */
  takePlan: (id: number, body: object) =>
    queryOptions({
      queryKey: ["userSets", "takePlan", id, body],
      queryFn: async ({ signal }) =>
        one(await api.post<Taken>(`userSets/${id}/take`, { ...body, dry_run: true }, { signal })),
      staleTime: 0,
      gcTime: 0,
    }),
  /** What parting out would make and be worth. */
  partOutPlan: (asked: string) =>
    queryOptions({
      queryKey: ["userSets", "partOutPlan", asked],
      queryFn: async ({ signal }) => {
        const options: object = JSON.parse(asked);
        return one(
          await api.post<PartedOut>("batches/partOut", { ...options, dry_run: true }, { signal }),
        );
      },
      placeholderData: keepPreviousData,
      staleTime: 0,
      gcTime: 0,
    }),
  /** The last look at what the stock makes; null before the first one. */
  lastSearch: () =>
    queryOptions({
      queryKey: ["buildSearches", "last"],
      queryFn: async ({ signal }) =>
        (await api.get<BuildSearch>("buildSearches", { page_size: 1 }, { signal })).data[0] ?? null,
    }),
};

export const setRows: RowSource<UserSet> = {
  key: setQueries.lists(),
  fetch: (params: ListParams, signal) => api.get<UserSet>("userSets", params, { signal }),
};

export const partRows = (id: number): RowSource<SetPart> => ({
  key: ["userSets", "parts", id],
  fetch: (params, signal) =>
    api.get<SetPart>("userSetParts", { ...params, user_set: id }, { signal }),
});

export const buildableRows = (search: number): RowSource<BuildableSet> => ({
  key: ["buildSearches", "found", search],
  fetch: (params, signal) =>
    api.get<BuildableSet>("buildableSets", { ...params, build_search: search }, { signal }),
});
