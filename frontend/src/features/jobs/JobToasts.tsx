import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { download } from "@/shared/api/download";
import { type JobUndo, kindOf } from "@/shared/api/jobKinds";
import { onJobStarted } from "@/shared/api/startedJobs";
import { onUploads } from "@/shared/api/uploads";
import { formatCount } from "@/shared/lib/format";
import { isSessionOver } from "@/shared/lib/problem";
import { memberOf } from "@/shared/lib/records";
import { invalidate } from "@/shared/lib/tags";
import { outbox, UPLOADS } from "@/shared/outbox/theOutbox";
import { Button } from "@/shared/ui/Button";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { ProgressBar } from "@/shared/ui/states";
import { tellFailure } from "@/shared/ui/tellFailure";
import { type ToastAction, toast } from "@/shared/ui/toast";
import { toastId } from "./ends";
import {
  followJob,
  forgetJobs,
  isHushed,
  unfollowJob,
  useFollowedJobs,
  useShownElsewhere,
} from "./followed";
import {
  forgetFile,
  isOfLostUpload,
  isUploadLost,
  keptJobs,
  noteUpload,
  saveAwaited,
} from "./kept";
import { barOf, isFinished, type Job, startedBy } from "./model";
import { isRefused, jobQueries } from "./queries";
import { useCancelJob, useJob, useRetryJob } from "./useJob";

/**
 * One toast for each running job, wherever the person is: mounted once, for who is signed in.
 * After a reload the unfinished jobs are asked for and watched again.
 */
export function JobToasts() {
  const ids = useFollowedJobs();
  const unfinished = useSideQuery(jobQueries.unfinished(), "your running jobs");
  const [lost] = useState(isUploadLost);
  const newest = useSideQuery({ ...jobQueries.newest(), enabled: lost }, "how your upload ended");
  useEffect(() => {
    for (const job of unfinished ?? []) followJob(job.id);
  }, [unfinished]);
  useEffect(() => {
    if (!newest) return;
    // An upload was on its way when the page was reloaded: its job may have ended meanwhile.
    for (const job of newest) if (isOfLostUpload(job)) followJob(job.id);
    noteUpload(null);
  }, [newest]);
  useEffect(() => {
    for (const id of keptJobs()) followJob(id);
    const stops = [
      onJobStarted(({ id }) => followJob(id)),
      // Also of a file that was sent after its page was left.
      outbox.onOutcome(UPLOADS, ({ data }) => {
        for (const row of data ?? []) {
          const job = memberOf(row, "job_id") ?? memberOf(row, "id");
          if (typeof job === "string") followJob(job);
        }
      }),
      onUploads((isUploading) => noteUpload(isUploading ? Date.now() : null)),
    ];
    return () => {
      for (const stop of stops) stop();
      forgetJobs();
    };
  }, []);
  return ids.map((id) => <JobToast key={id} id={id} />);
}

/** How long an undo is offered. */
const UNDO_MS = 12_000;

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
      if (quiet || kindOf(job).isLong) toast.remove(toastId(id));
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
    const refresh = () => {
      const { touches } = kindOf(job);
      if (touches === "everything") void client.invalidateQueries();
      else void invalidate(client, ...touches);
    };
    refresh();
    for (const next of startedBy(job)) followJob(next);
    const well = job.state === "succeeded" && job.failed_count === 0;
    saveAwaited(id, () => saveFileOf(job)).catch(tellFailure);
    // Price jobs that run automatically show no toast.
    const isUnasked = well && kindOf(job).isLong && job.done === 0;
    if (quiet || isUnasked) toast.remove(toastId(id));
    else if (!(well && isHushed(id))) {
      showEnded(job, { open: navigate, again: () => again(id), refresh });
    }
    unfollowJob(id);
  }, [job, quiet]);

  // A deleted job, or another person's, is not watched any longer; after a lost connection,
  // watching continues.
  const isGone = isRefused(error) && !isSessionOver(error);
  useEffect(() => {
    if (!isGone) return;
    toast.remove(toastId(id));
    forgetFile(id);
    unfollowJob(id);
  }, [isGone, id]);
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
          label={job.message || (waiting ? "Waiting for its turn" : "Running")}
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

type EndActs = { open: (to: string) => void; again: () => void; refresh: () => void };

/** The end of an act is a step of its table's history: Ctrl+Z there takes it back too. */
async function tellUndoable(
  { table, acts, deletes }: JobUndo,
  words: string,
  toast: { id?: string; detail: ReactNode },
  refresh: () => void,
): Promise<void> {
  const { tellAct } = await import("@/shared/table/editing/tellAct");
  const type = deletes ? "row-delete" : "bulk-edit";
  await tellAct({
    table,
    type,
    label: words,
    words,
    toast: { ...toast, duration: UNDO_MS },
    acts,
    refresh,
  });
}

function showEnded(job: Job, act: EndActs): void {
  const kind = kindOf(job);
  const id = toastId(job.id);
  const undo = kind.undo?.(job);
  const failures = failuresOf(job);
  const stopped = job.state === "cancelled" ? `${kind.running}: stopped.` : "";
  if (job.state === "failed") {
    toast.error(`${kind.running} failed. ${job.message}`.trim(), {
      id,
      duration: 15_000,
      action: { label: "Try again", run: act.again },
    });
  }
  if (undo) {
    const words = `${stopped} ${kind.done(job)}`.trim();
    // What a failed job had done is shown beside its failure, which can be tried again.
    const own = job.state === "failed" ? {} : { id };
    const action = actionOf(job, act.open);
    const detail = action ? <Failures text={failures} action={action} /> : failures;
    void tellUndoable(undo, words, { ...own, detail }, act.refresh);
  } else if (stopped) {
    toast.info(stopped, { id });
  } else if (job.state === "succeeded") {
    const ending = { id, detail: failures, action: actionOf(job, act.open) };
    if (kind.isEmpty?.(job)) toast.info(job.message, ending);
    else toast.success(kind.done(job), ending);
  }
}

/** What could not be done, beside an undo of the rest: a toast has one action of its own. */
function Failures({ text, action }: { text?: string; action: ToastAction }) {
  return (
    <>
      {text}
      <div>
        <Button size="sm" variant="ghost" onClick={action.run}>
          {action.label}
        </Button>
      </div>
    </>
  );
}

/** How many could not be done, and the first of them with its reason. */
function failuresOf({ failed, failed_count }: Job): string | undefined {
  if (!failed_count) return undefined;
  const { name, reason } = failed[0] ?? {};
  const first = typeof name === "string" && typeof reason === "string" ? `${name}: ${reason}` : "";
  return `${formatCount(failed_count)} failed. ${first}`.trim();
}

const fileOf = (job: Job) => (job.state === "succeeded" && kindOf(job).file?.(job)) || null;

async function saveFileOf(job: Job): Promise<void> {
  const endpoint = fileOf(job);
  if (endpoint !== null) await download(endpoint, "brickstow.bsx");
}

function actionOf(job: Job, open: (to: string) => void): ToastAction | undefined {
  if (fileOf(job)) {
    const run = () => saveFileOf(job).then(() => forgetFile(job.id), tellFailure);
    return { label: "Download", run };
  }
  const target = kindOf(job).link?.(job);
  return target ? { label: target.label, run: () => open(target.to) } : undefined;
}
