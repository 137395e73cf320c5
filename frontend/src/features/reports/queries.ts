import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";

export const reportQueries = {
  all: () =>
    queryOptions({
      queryKey: ["reports"],
      queryFn: async ({ signal }) => one(await api.get("reports", { signal })),
    }),
};
