import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { queryOne, queryPage } from "@/shared/api/queries";
import type { BodyOf } from "@/shared/api/wire";
import type { ExportRequest, ExportScope } from "./model";

export const EARLIER_AT_ONCE = 10;

export const exportQueries = {
  detail: (id: number) => queryOne(["exports", "detail", id], "exports/{id}", { path: { id } }),
  earlier: ({ scope, batch_id }: ExportScope, page: number) =>
    queryPage(["exports", "earlier", scope, batch_id ?? null, page], "exports", {
      query: {
        scope,
        ...(batch_id ? { batch: batch_id } : {}),
        page,
        page_size: EARLIER_AT_ONCE,
      },
    }),
  /** The newest BSX files: with two or more the person has had one before. */
  newestBsx: () =>
    queryPage(["exports", "newestBsx"], "exports", { query: { kind: "bsx", page_size: 2 } }),
  preview: (request: ExportRequest) =>
    queryOptions({
      queryKey: ["exports", "preview", request],
      queryFn: async ({ signal }) =>
        one(
          await api.ask("exports/preview", {
            body: request as BodyOf<"post", "exports/preview">,
            signal,
          }),
        ),
      staleTime: 0,
      gcTime: 0,
      meta: { isPlan: true },
    }),
};
