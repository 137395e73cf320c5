import type { Location } from "@/features/locations/public";
import { queryPage } from "@/shared/api/queries";

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
    queryPage(["inventory", "walk", "contents", location], "inventoryItems", {
      query: { location: String(location), page_size: MOST_ROWS, ordering: "item_number" },
    }),
  /** The stock that matches a text, in any bin. */
  like: (search: string) => ({
    ...queryPage(["inventory", "walk", "like", search], "inventoryItems", {
      query: { search, page_size: MOST_ROWS, ordering: "location_name" },
    }),
    enabled: search !== "",
  }),
};
