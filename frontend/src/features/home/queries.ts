import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Home } from "./model";

/** The zone of this browser: whose days are meant where the profile names none. */
const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const homeQueries = {
  all: () => ["home"] as const,
  home: () =>
    queryOptions({
      queryKey: ["home", "page"],
      queryFn: async ({ signal }) =>
        one(await api.get<Home>("home", { time_zone: browserZone() }, { signal })),
    }),
};
