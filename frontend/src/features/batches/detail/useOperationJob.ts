import { useEffect, useRef } from "react";
import { isFinished, type Job, useJob } from "@/features/jobs/public";
import { useAddress } from "@/shared/lib/useAddress";

/** The job at `?work=…` that does an operation: its end is shown here, also after a reload. */
export function useOperationJob(onEnd: (job: Job) => void) {
  const [params, change] = useAddress();
  const id = params.get("work");
  const { data: job } = useJob(id);
  const show = (jobId: string | null) => change({ work: jobId }, { replace: true });
  const ended = job && job.id === id && isFinished(job) ? job : null;
  const latest = useRef({ show, onEnd });
  useEffect(() => {
    latest.current = { show, onEnd };
  });
  useEffect(() => {
    if (!ended) return;
    latest.current.show(null);
    latest.current.onEnd(ended);
  }, [ended]);
  return show;
}
