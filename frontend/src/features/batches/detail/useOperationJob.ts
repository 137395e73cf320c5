import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { isFinished, type Job, useJob } from "@/features/jobs/public";

/** The job at `?work=…` that does an operation: its end is shown here, also after a reload. */
export function useOperationJob(onEnd: (job: Job) => void) {
  const [params, setParams] = useSearchParams();
  const id = params.get("work");
  const { data: job } = useJob(id);
  const show = (jobId: string | null) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (jobId === null) next.delete("work");
        else next.set("work", jobId);
        return next;
      },
      { replace: true },
    );
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
