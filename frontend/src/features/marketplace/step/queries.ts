import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { followJob } from "@/features/jobs/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { queryOne, queryPage } from "@/shared/api/queries";
import type { BodyOf } from "@/shared/api/wire";
import { invalidate } from "@/shared/lib/tags";
import { isOpen } from "../history/rules";

const LOOK_MS = 3000;
const PAGE = 25;

export const stepQueries = {
  schedule: () =>
    queryOptions({
      ...queryOne(["marketplace", "schedule"], "marketplace/schedule"),
      refetchInterval: ({ state: { data } }) => (data?.last && isOpen(data.last) ? LOOK_MS : false),
    }),
  conflicts: (decision: "open" | undefined, page: number) => ({
    ...queryPage(["marketplace", "conflicts", decision, page], "marketplace/conflicts", {
      query: { ...(decision && { decision }), page, page_size: PAGE },
    }),
    placeholderData: keepPreviousData,
  }),
};

export function useSaveSchedule() {
  const client = useQueryClient();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async (body: BodyOf<"patch", "marketplace/schedule">) =>
      one(await api.patch("marketplace/schedule", { body })),
    onSuccess: (schedule) => client.setQueryData(stepQueries.schedule().queryKey, schedule),
  });
}

/** Orders, what changed there, then ours; the job is followed by its toast. */
export function useSyncNow() {
  const client = useQueryClient();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async (typed: number | null) =>
      one(
        await api.post("marketplace/syncs/now", {
          body: typed === null ? {} : { confirm_removals: typed },
        }),
      ),
    onSuccess: (sync) => {
      if (sync.job_id) followJob(sync.job_id);
      void invalidate(client, "marketplace");
    },
  });
}

export function useSettle() {
  const client = useQueryClient();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async (body: BodyOf<"post", "marketplace/conflicts/settle">) =>
      one(await api.post("marketplace/conflicts/settle", { body })),
    onSuccess: () => {
      void invalidate(client, "marketplace", "inventory");
    },
  });
}
