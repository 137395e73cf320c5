import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { isOpen } from "./rules";

export const HISTORY_PAGE = 25;
/** Between two looks while something on the page is under way, in milliseconds. */
const LOOK_MS = 3000;

export const historyQueries = {
  listings: (page: number) =>
    queryOptions({
      queryKey: ["marketplace", "history", "listings", page],
      queryFn: ({ signal }) =>
        api.get("marketplace/listings/runs", { query: { page, page_size: HISTORY_PAGE }, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? LOOK_MS : false),
    }),
  syncs: (page: number) =>
    queryOptions({
      queryKey: ["marketplace", "history", "syncs", page],
      queryFn: ({ signal }) =>
        api.get("marketplace/syncs", { query: { page, page_size: HISTORY_PAGE }, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? LOOK_MS : false),
    }),
};
