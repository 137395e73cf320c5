import { queryOne, queryPage } from "@/shared/api/queries";
import { browserZone } from "@/shared/lib/format";
import type { Period } from "./rules";

export const booksQueries = {
  of: ({ first, last }: Period, zone = browserZone()) =>
    queryOne(["books", "of", first, last, zone], "books", {
      query: { first, last, time_zone: zone },
    }),
  settings: () => queryOne(["books", "settings"], "books/settings"),
  invoices: () => queryPage(["books", "invoices"], "invoices", { query: { page_size: 20 } }),
};
