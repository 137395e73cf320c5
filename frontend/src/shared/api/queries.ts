/** Queries that only read a path, as options of `useQuery` and `useInfiniteQuery`. */
import { infiniteQueryOptions, type QueryKey, queryOptions } from "@tanstack/react-query";
import { may } from "@/shared/lib/role";
import { api, type Options } from "./client";
import { isThere } from "./deletions";
import { one } from "./envelope";
import type { PathOf, QueryOf } from "./wire";

type Given<Path extends PathOf<"get">> = Options<"get", Path>;

/** The caller's options, and `more`. */
const withMore = <Path extends PathOf<"get">>([options]: Given<Path>, more: object) =>
  [{ ...options, ...more } as unknown] as Given<Path>;

/** What a role does not reach is not asked for. */
const enabled = (path: string) => (query: object) =>
  isThere(query) && may(`read ${path.replaceAll(/\{\w+\}/g, "{}")}`);

/** The one object that a path answers with. */
export function queryOne<Path extends PathOf<"get">>(
  queryKey: QueryKey,
  path: Path,
  ...given: Given<Path>
) {
  return queryOptions({
    queryKey,
    enabled: enabled(path),
    queryFn: async ({ signal }) => one(await api.get(path, ...withMore(given, { signal }))),
  });
}

/** The rows of a path's answer. */
export function queryRows<Path extends PathOf<"get">>(
  queryKey: QueryKey,
  path: Path,
  ...given: Given<Path>
) {
  return queryOptions({
    queryKey,
    enabled: enabled(path),
    queryFn: async ({ signal }) => (await api.get(path, ...withMore(given, { signal }))).data,
  });
}

/** One page of a list, with its pagination. */
export function queryPage<Path extends PathOf<"get">>(
  queryKey: QueryKey,
  path: Path,
  ...given: Given<Path>
) {
  return queryOptions({
    queryKey,
    enabled: enabled(path),
    queryFn: ({ signal }) => api.get(path, ...withMore(given, { signal })),
  });
}

/** The paths of lists that are paged. */
type PagedPath = {
  [Path in PathOf<"get">]: { page: 1; page_size: 1 } extends QueryOf<Path> ? Path : never;
}[PathOf<"get">];

/** A list that is fetched `size` rows at a time. */
export function pagesOf<Path extends PagedPath>(
  queryKey: QueryKey,
  size: number,
  path: Path,
  ...given: Given<Path>
) {
  return infiniteQueryOptions({
    queryKey,
    enabled: enabled(path),
    queryFn: ({ signal, pageParam }) => {
      const filters = { page: pageParam, page_size: size };
      return api.get(path, ...withMore(given, { filters, signal }));
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) =>
      pagination && pagination.page < pagination.total_pages ? pagination.page + 1 : undefined,
  });
}
