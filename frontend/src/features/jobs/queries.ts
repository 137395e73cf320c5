import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Job } from "./model";
import { countStill, pollAfter, stillFor } from "./polling";

export const jobQueries = {
  all: () => ["jobs"] as const,
  unfinished: () =>
    queryOptions({
      queryKey: ["jobs", "unfinished"],
      queryFn: async ({ signal }) => {
        const [running, queued] = await Promise.all(
          ["running", "queued"].map((state) =>
            api.get<Job>("jobs", { state, page_size: 25 }, { signal }),
          ),
        );
        return [...(running?.data ?? []), ...(queued?.data ?? [])];
      },
      staleTime: 60_000,
    }),
  detail: (id: string) =>
    queryOptions({
      queryKey: ["jobs", "detail", id],
      queryFn: async ({ signal }) =>
        countStill(one(await api.get<Job>(`jobs/${id}`, undefined, { signal }))),
      staleTime: 0,
      refetchInterval: ({ state }) => (state.error ? false : pollAfter(state.data, stillFor(id))),
    }),
};
