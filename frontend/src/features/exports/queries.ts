import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { BodyOf } from "@/shared/api/wire";
import type { ExportRequest, ExportScope } from "./model";

export const EARLIER_AT_ONCE = 10;

export const exportQueries = {
  detail: (id: number) =>
    queryOptions({
      queryKey: ["exports", "detail", id],
      queryFn: async ({ signal }) => one(await api.get("exports/{id}", { path: { id }, signal })),
    }),
  earlier: ({ scope, batch_id }: ExportScope, page: number) =>
    queryOptions({
      queryKey: ["exports", "earlier", scope, batch_id ?? null, page],
      queryFn: ({ signal }) =>
        api.get("exports", {
          query: {
            scope,
            ...(batch_id ? { batch: batch_id } : {}),
            page,
            page_size: EARLIER_AT_ONCE,
          },
          signal,
        }),
    }),
  preview: (request: ExportRequest) =>
    queryOptions({
      queryKey: ["exports", "preview", request],
      queryFn: async ({ signal }) =>
        one(
          await api.post("exports/preview", {
            body: request as BodyOf<"post", "exports/preview">,
            signal,
          }),
        ),
      staleTime: 0,
      gcTime: 0,
    }),
};
