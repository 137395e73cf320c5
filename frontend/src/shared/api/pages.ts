import { infiniteQueryOptions } from "@tanstack/react-query";
import { api } from "./client";

/** Options of `useInfiniteQuery` for a list that is fetched `size` rows at a time. */
export function pagesOf<Row>(queryKey: readonly unknown[], endpoint: string, size: number) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      api.get<Row>(endpoint, { page: pageParam, page_size: size }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) =>
      pagination && pagination.page < pagination.total_pages ? pagination.page + 1 : undefined,
  });
}
