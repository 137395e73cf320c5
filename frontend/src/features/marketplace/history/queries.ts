import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queryPage } from "@/shared/api/queries";
import { isOpen } from "./rules";

const HISTORY_PAGE = 25;
/** Between two looks while something on the page is under way, in milliseconds. */
const LOOK_MS = 3000;

export const historyQueries = {
  listings: (page: number) =>
    queryOptions({
      ...queryPage(["marketplace", "history", "listings", page], "marketplace/listings/runs", {
        query: { page, page_size: HISTORY_PAGE },
      }),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? LOOK_MS : false),
    }),
  syncs: (page: number) =>
    queryOptions({
      ...queryPage(["marketplace", "history", "syncs", page], "marketplace/syncs", {
        query: { page, page_size: HISTORY_PAGE },
      }),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? LOOK_MS : false),
    }),
};
