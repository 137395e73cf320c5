import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { queryRows } from "@/shared/api/queries";
import { memberOf } from "@/shared/lib/records";
import { countStill, LONGEST_MS, pollAfter, stillFor } from "./polling";

/**
 * A refusal: the job was deleted or belongs to another person. Temporary errors (no connection,
 * server down) do not count.
 */
export function isRefused(error: unknown): boolean {
  const status = memberOf(error, "status");
  return !memberOf(error, "failure") && typeof status === "number" && status >= 400 && status < 500;
}

export const jobQueries = {
  unfinished: () =>
    queryOptions({
      queryKey: ["jobs", "unfinished"],
      queryFn: async ({ signal }) => {
        const [running, queued] = await Promise.all(
          (["running", "queued"] as const).map((state) =>
            api.get("jobs", { query: { state, page_size: 25 }, signal }),
          ),
        );
        return [...(running?.data ?? []), ...(queued?.data ?? [])];
      },
      staleTime: 60_000,
    }),
  /** The jobs that began last, ended or not. */
  newest: () => ({
    ...queryRows(["jobs", "newest"], "jobs", { query: { page_size: 5 } }),
    staleTime: 0,
  }),
  detail: (id: string) =>
    queryOptions({
      queryKey: ["jobs", "detail", id],
      queryFn: async ({ signal }) =>
        countStill(one(await api.get("jobs/{id}", { path: { id }, signal }))),
      staleTime: 0,
      refetchInterval: ({ state }) => {
        if (isRefused(state.error)) return false;
        return state.error ? LONGEST_MS : pollAfter(state.data, stillFor(id));
      },
    }),
};
