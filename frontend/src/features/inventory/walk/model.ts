import { queryOptions } from "@tanstack/react-query";
import type { Location } from "@/features/locations/public";
import { api } from "@/shared/api/client";

export type StopProps = {
  bin: Location;
  /** The bin that a label or a typed name means; null, and said, where there is none. */
  read: (text: string) => Promise<Location | null>;
  goTo: (id: number) => void;
};

const MOST_ROWS = 500;

export const walkQueries = {
  /** The content of a bin. */
  contents: (location: number) =>
    queryOptions({
      queryKey: ["inventory", "walk", "contents", location],
      queryFn: ({ signal }) =>
        api.get("inventoryItems", {
          query: { location: String(location), page_size: MOST_ROWS, ordering: "item_number" },
          signal,
        }),
    }),
  /** The stock that matches a text, in any bin. */
  like: (search: string) =>
    queryOptions({
      queryKey: ["inventory", "walk", "like", search],
      queryFn: ({ signal }) =>
        api.get("inventoryItems", {
          query: { search, page_size: MOST_ROWS, ordering: "location_name" },
          signal,
        }),
      enabled: search !== "",
    }),
};
