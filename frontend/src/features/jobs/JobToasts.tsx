import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useNavigate } from "react-router-dom";
import { download } from "@/shared/api/download";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { ProgressBar } from "@/shared/ui/states";
import { type ToastAction, toast } from "@/shared/ui/toast";
import {
  followJob,
  forgetJobs,
  isHushed,
  unfollowJob,
  useFollowedJobs,
  useShownElsewhere,
} from "./followed";
import { barOf, kindOf } from "./kinds";
import { isFinished, type Job, startedBy } from "./model";
import { jobQueries } from "./queries";
import { useCancelJob, useJob, useRetryJob } from "./useJob";

/**
 * One toast for each running job, wherever the person is: mounted once, for who is signed in.
 * After a reload the unfinished jobs are asked for and watched again.
 */
export function JobToasts() {
  const ids = useFollowedJobs();
  const { data: unfinished } = useQuery(jobQueries.unfinished());
  useEffect(() => {
    for (const job of unfinished ?? []) followJob(job.id);
  }, [unfinished]);
  useEffect(() => forgetJobs, []);
  return ids.map((id) => <JobToast key={id} id={id} />);
}

const toastId = (id: string) => `job-${id}`;

function JobToast({ id }: { id: string }) {
  const { data: job, error } = useJob(id);
  const quiet = useShownElsewhere(id);
  const dismissed = useRef(false);
  const navigate = useNavigate();
  const client = useQueryClient();
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const { mutate: stop } = cancel;
  const { mutate: again } = retry;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a toast follows the job's news alone
  useEffect(() => {
    if (!job) return;
    if (!isFinished(job)) {
      if (quiet) toast.remove(toastId(id));
      else if (!dismissed.current && !isHushed(id)) {
        showRunning(
          job,
          () => stop(id),
          () => {
            dismissed.current = true;
          },
        );
      }
      return;
    }
    for (const key of kindOf(job).touches) void client.invalidateQueries({ queryKey: [key] });
    for (const next of startedBy(job)) followJob(next);
    const well = job.state === "succeeded" && job.failed_count === 0;
    if (quiet) toast.remove(toastId(id));
    else if (!(well && isHushed(id))) showEnded(job, { open: navigate, again: () => again(id) });
    unfollowJob(id);
  }, [job, quiet]);

  // A job that cannot be asked for (gone, or somebody else's) is not watched for ever.
  useEffect(() => {
    if (!error) return;
    toast.remove(toastId(id));
    unfollowJob(id);
  }, [error, id]);
  return null;
}

function showRunning(job: Job, stop: () => void, onDismiss: () => void): void {
  const { running, cancellable } = kindOf(job);
  const waiting = job.state === "queued";
  toast.progress(running, {
    id: toastId(job.id),
    onDismiss,
    detail: (
      <div className="flex w-72 max-w-full flex-col gap-1.5">
        <ProgressBar
          label={waiting ? "Waiting for its turn" : job.message || "Running"}
          {...barOf(job)}
        />
        {cancellable && (
          <div>
            <Button size="sm" variant="ghost" loading={job.cancel_requested} onClick={stop}>
              {job.cancel_requested ? "Stopping" : "Stop"}
            </Button>
          </div>
        )}
      </div>
    ),
  });
}

function showEnded(job: Job, act: { open: (to: string) => void; again: () => void }): void {
  const kind = kindOf(job);
  const id = toastId(job.id);
  if (job.state === "cancelled") {
    toast.info(`${kind.running}: stopped.`, { id });
  } else if (job.state === "failed") {
    toast.error(`${kind.running} failed. ${job.message}`.trim(), {
      id,
      duration: 15_000,
      action: { label: "Try again", run: act.again },
    });
  } else {
    const failures = job.failed_count
      ? `${job.failed_count.toLocaleString("en")} could not be done.`
      : undefined;
    const ending = { id, detail: failures, action: actionOf(job, act.open) };
    if (kind.isEmpty?.(job)) toast.info(job.message, ending);
    else toast.success(kind.done(job), ending);
  }
}

function actionOf(job: Job, open: (to: string) => void): ToastAction | undefined {
  const { link, file } = kindOf(job);
  const endpoint = file?.(job);
  if (endpoint) {
    const save = () =>
      download(endpoint, "brickstow.bsx").catch((error) => toast.error(problemText(error)));
    return { label: "Download", run: save };
  }
  const target = link?.(job);
  return target ? { label: target.label, run: () => open(target.to) } : undefined;
}
