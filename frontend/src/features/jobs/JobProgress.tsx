import { Square } from "lucide-react";
import { kindOf } from "@/shared/api/jobKinds";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { ErrorState, ProgressBar } from "@/shared/ui/states";
import { barOf, isFinished } from "./model";
import { useCancelJob, useJob, useJobShownHere } from "./useJob";

/** A running job in a page or dialog: how far it is, and a way to stop it. */
export function JobProgress(props: {
  jobId: string;
  /** Instead of the kind's own words. */
  label?: string;
  /** What Stop asks first, where stopping is a choice; it then calls useCancelJob itself. */
  onStop?: () => void;
}) {
  const { jobId, label, onStop } = props;
  const { data: job, error, refetch } = useJob(jobId);
  const cancel = useCancelJob();
  useJobShownHere(jobId);

  if (!job && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const text = label ?? job?.message ?? "";
  const stoppable = job && !isFinished(job) && kindOf(job).cancellable;
  return (
    <div className="flex flex-col gap-3">
      <ProgressBar
        label={text || (job ? kindOf(job).running : "Waiting for its turn")}
        {...(job ? barOf(job) : { done: 0, total: null })}
      />
      {error && (
        <p role="alert" className="text-danger text-xs">
          {problemText(error)}{" "}
          <Button size="sm" variant="ghost" onClick={() => void refetch()}>
            Ask again
          </Button>
        </p>
      )}
      {stoppable && (
        <div>
          <Button
            size="sm"
            icon={<Square aria-hidden="true" className="size-3.5" />}
            loading={cancel.isPending || job.cancel_requested}
            onClick={() => (onStop ? onStop() : cancel.mutate(job.id))}
          >
            {job.cancel_requested ? "Stopping" : "Stop"}
          </Button>
        </div>
      )}
    </div>
  );
}
