import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Export } from "./model";

export const exportQueries = {
  all: () => ["exports"] as const,
  detail: (id: number) =>
    queryOptions({
      queryKey: ["exports", "detail", id],
      queryFn: async ({ signal }) =>
        one(await api.get<Export>(`exports/${id}`, undefined, { signal })),
    }),
};
