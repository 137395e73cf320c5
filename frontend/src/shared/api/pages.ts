import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";
import { api, type Options } from "./client";
import type { PathOf, QueryOf } from "./wire";

/** The paths of lists that are paged. */
type PagedPath = {
  [Path in PathOf<"get">]: { page: 1; page_size: 1 } extends QueryOf<Path> ? Path : never;
}[PathOf<"get">];

/** Options of `useInfiniteQuery` for a list that is fetched `size` rows at a time. */
export function pagesOf<Path extends PagedPath>(
  queryKey: QueryKey,
  size: number,
  path: Path,
  ...[options]: Options<"get", Path>
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) => {
      const filters = { page: pageParam, page_size: size };
      const page = { ...options, filters, signal } as unknown; // the caller's, and the page
      return api.get(path, ...([page] as Options<"get", Path>));
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) =>
      pagination && pagination.page < pagination.total_pages ? pagination.page + 1 : undefined,
  });
}
