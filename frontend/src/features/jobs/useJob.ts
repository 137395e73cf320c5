import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { claimJobView, followAgain } from "./followed";
import { isFinished } from "./model";
import { jobQueries } from "./queries";

/** A job as it is now, asked again with growing pauses until it has ended. */
export function useJob(id: string | null | undefined) {
  return useQuery({ ...jobQueries.detail(id ?? ""), enabled: Boolean(id) });
}

/** Asks a job to stop after its present chunk. */
export function useCancelJob() {
  const client = useQueryClient();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async (id: string) => one(await api.post("jobs/{id}/cancel", { path: { id } })),
    onSuccess: (job) => client.setQueryData(jobQueries.detail(job.id).queryKey, job),
  });
}

/** Queues a failed or stopped job again; it continues where it stopped. */
export function useRetryJob() {
  const client = useQueryClient();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async (id: string) => one(await api.post("jobs/{id}/retry", { path: { id } })),
    onSuccess: (job) => {
      client.setQueryData(jobQueries.detail(job.id).queryKey, job);
      followAgain(job.id);
    },
  });
}

/** While this component is there, it shows the job: no toast beside it. */
export function useJobShownHere(id: string | null | undefined): void {
  useEffect(() => (id ? claimJobView(id) : undefined), [id]);
}

/** Calls `onEnded` once the job has ended: what it worked on has to be read again. */
export function useJobEnd(id: string | null | undefined, onEnded: () => void): void {
  const { data: job } = useJob(id);
  const ended = id && job?.id === id && isFinished(job) ? id : null;
  const react = useEffectEvent(onEnded);
  useEffect(() => {
    if (ended !== null) react();
  }, [ended]);
}
