import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Export, ExportPreview, ExportRequest, ExportScope } from "./model";

export const EARLIER_AT_ONCE = 10;

export const exportQueries = {
  all: () => ["exports"] as const,
  detail: (id: number) =>
    queryOptions({
      queryKey: ["exports", "detail", id],
      queryFn: async ({ signal }) =>
        one(await api.get<Export>(`exports/${id}`, undefined, { signal })),
    }),
  earlier: ({ scope, batch_id }: ExportScope, page: number) =>
    queryOptions({
      queryKey: ["exports", "earlier", scope, batch_id ?? null, page],
      queryFn: ({ signal }) =>
        api.get<Export>(
          "exports",
          { scope, ...(batch_id ? { batch: batch_id } : {}), page, page_size: EARLIER_AT_ONCE },
          { signal },
        ),
    }),
  preview: (request: ExportRequest) =>
    queryOptions({
      queryKey: ["exports", "preview", request],
      queryFn: async ({ signal }) =>
        one(await api.post<ExportPreview>("exports/preview", request, { signal })),
      staleTime: 0,
      gcTime: 0,
    }),
};
