import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one, totalOf } from "@/shared/api/envelope";
import { pagesOf, queryOne, queryPage } from "@/shared/api/queries";
import { keysOf } from "@/shared/lib/records";
import { filtersOf, type ListParams, type RowSource } from "@/shared/table/column";
import type { Group, GroupBy } from "@/shared/table/Groups";
import type { Batch, BatchItem, StateFilter } from "./model";

/** Rows of an operations log fetched at a time. */
const LOG_PAGE = 25;
/** Batches that one chart shows. */
const MOST_DRAWN = 500;

/** The beginnings of the keys of what is about one batch: its deletion ends them. */
export const ABOUT_ONE_BATCH = [
  ["batches", "detail"],
  ["batches", "activity"],
  ["batches", "charts"],
  ["batches", "head"],
  ["batches", "operations"],
  ["batchItems", "list"],
  ["batchItems", "sums"],
  ["batchItems", "walk"],
] as const;

export const batchQueries = {
  lists: () => ["batches", "list"] as const,
  detail: (id: number) => queryOne(["batches", "detail", id], "batches/{id}", { path: { id } }),
  activity: (id: number) =>
    queryOne(["batches", "activity", id], "batches/{id}/activity", { path: { id } }),
  charts: (id: number) =>
    queryOne(["batches", "charts", id], "batches/{id}/charts", { path: { id } }),
  /** The newest of the batches that a table's search and filters leave. */
  drawn: ({ page: _page, page_size: _size, ...narrowing }: ListParams, showArchived: boolean) =>
    queryPage(["batches", "drawn", narrowing, showArchived], "batches", {
      query: {
        ordering: "-created_at",
        page_size: MOST_DRAWN,
        is_archived: showArchived ? "all" : "false",
      },
      filters: narrowing,
    }),
  archivedCount: () =>
    queryOptions({
      queryKey: ["batches", "archivedCount"],
      queryFn: async ({ signal }) => {
        const query = { is_archived: "true", page_size: 1 } as const;
        return totalOf(await api.get("batches", { query, signal }));
      },
    }),
  operations: (id: number) =>
    pagesOf(["batches", "operations", id], LOG_PAGE, "batches/{id}/operations", { path: { id } }),
};

/** Items of a walk fetched at a time, and the most that one walk shows. */
const WALK_PAGE = 500;
const WALK_PAGES = 20;

export const batchItemQueries = {
  lists: (batchId: number) => ["batchItems", "list", batchId] as const,
  /** Not among the lists: those are changed in place while work runs on their rows. */
  sums: (batchId: number) => ["batchItems", "sums", batchId] as const,
  /** The new items of a batch by location, in natural order: what is still to be put away. */
  walk: (batchId: number) =>
    queryOptions({
      queryKey: ["batchItems", "walk", batchId],
      queryFn: async ({ signal }) => {
        const items: BatchItem[] = [];
        for (let page = 1; page <= WALK_PAGES; page += 1) {
          const params = {
            ...itemParams(batchId, "new"),
            ordering: "user_inventory_item_location_name,id",
            page,
            page_size: WALK_PAGE,
          };
          const answer = await api.get("batchItems", { query: params, signal });
          items.push(...answer.data);
          if (page >= (answer.pagination?.total_pages ?? 1)) break;
        }
        return items;
      },
    }),
};

/** Batches, the archived ones only where they are asked for. */
export const batchRows = (showArchived: boolean): RowSource<Batch> => ({
  key: [...batchQueries.lists(), { showArchived }],
  fetch: (params: ListParams, signal) =>
    api.get("batches", {
      query: { is_archived: showArchived ? "all" : "false" },
      filters: params,
      signal,
    }),
});

export const itemParams = (batchId: number, state: StateFilter) => ({ batch: batchId, state });

export const itemRows = (batchId: number, state: StateFilter): RowSource<BatchItem> => ({
  key: [...batchItemQueries.lists(batchId), state],
  fetch: (params: ListParams, signal) =>
    api.get("batchItems", { query: itemParams(batchId, state), filters: params, signal }),
});

/** The sums of the items by bin or by colour. */
export const groupsOfItems = (
  batchId: number,
  state: StateFilter,
  by: GroupBy,
): RowSource<Group> => ({
  key: [...batchItemQueries.sums(batchId), "groups", by, state],
  fetch: (params: ListParams, signal) =>
    api.get("batchItems/groups", {
      query: { by, ...itemParams(batchId, state) },
      filters: params,
      signal,
    }),
});

const stateHeadings = { new: "To put away", stowed: "Stowed", listed: "Listed" };
const headingStates = keysOf(stateHeadings);

/** The sums of the items by state, in the order of the work; states without items are left out. */
export const statesOfItems = (batchId: number, filter: StateFilter): RowSource<Group> => ({
  key: [...batchItemQueries.sums(batchId), "groups", "state", filter],
  fetch: async (params: ListParams, signal) => {
    const states = filter === "all" ? headingStates : [filter];
    const groups = await Promise.all(
      states.map(async (state) => {
        const query = itemParams(batchId, state);
        const sums = one(
          await api.get("batchItems/sums", { query, filters: filtersOf(params), signal }),
        );
        const id = headingStates.indexOf(state);
        return { ...sums, id, name: stateHeadings[state], html: "" };
      }),
    );
    return { data: groups.filter(({ rows }) => rows > 0), pagination: null };
  },
});

/** The rows under one of these headings. */
export const itemsInState = (batchId: number, { id }: Group): RowSource<BatchItem> =>
  itemRows(batchId, headingStates[id ?? 0] ?? "all");

/** What the items come to that are shown with these parameters. */
export const sumsOfItems = (batchId: number, state: StateFilter, params: ListParams) => {
  const filters = filtersOf(params);
  return {
    ...queryOne([...batchItemQueries.sums(batchId), state, filters], "batchItems/sums", {
      query: itemParams(batchId, state),
      filters,
    }),
    placeholderData: keepPreviousData,
  };
};
