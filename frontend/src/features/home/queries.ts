import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";

export const homeQueries = {
  home: () =>
    queryOptions({
      queryKey: ["home", "page"],
      queryFn: async ({ signal }) => one(await api.get("home", { signal })),
    }),
};
