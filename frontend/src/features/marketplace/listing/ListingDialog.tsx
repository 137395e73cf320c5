import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { Pencil, RotateCw } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import {
  followJob,
  isFinished,
  type Job,
  JobProgress,
  useJob,
  useRetryJob,
} from "@/features/jobs/public";
import { formatCount } from "@/shared/lib/format";
import { invalidate, type Tag } from "@/shared/lib/tags";
import { Badge } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Dialog } from "@/shared/ui/Dialog";
import { LoadingDialog } from "@/shared/ui/LoadingDialog";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { Notice } from "@/shared/ui/states";
import type { ListingAct, UnlistedItem } from "./model";
import { actOf, endOf, endWords, failedAsText, retryable } from "./rules";

type Props = {
  jobId: string;
  onClose: () => void;
  /** Queries that go stale as the job comes on. */
  touches: readonly (Tag | QueryKey)[];
  /** The dialog that asks before these are tried again. */
  again: (ids: number[], act: ListingAct, onClose: () => void) => ReactNode;
  /** Opens a refused row, to be corrected. */
  opened: (id: number, onClose: () => void) => ReactNode;
};

const titles: Record<ListingAct, string> = {
  items: "Listing",
  stock: "Listing",
  unlist: "Taking off sale",
};

/** A listing from its start to its result, at `?listing=…`: it survives a reload. */
export function ListingDialog(props: Props) {
  const { jobId, onClose, touches } = props;
  const query = useJob(jobId);
  const { data: job } = query;
  useFollowRows(job, touches);

  if (!job) {
    return <LoadingDialog title="Listing" query={query} onClose={onClose} />;
  }
  if (isFinished(job)) return <Ended {...props} job={job} />;
  return (
    <Dialog
      onClose={onClose}
      title={titles[actOf(job)]}
      description="It continues when you close this. If you stop it, what is done stays done."
      footer={<Button onClick={onClose}>Keep working</Button>}
    >
      <JobProgress jobId={jobId} />
    </Dialog>
  );
}

/** The rows behind the dialog lose their pending marks as the job comes to them. */
function useFollowRows(job: Job | undefined, touches: readonly (Tag | QueryKey)[]): void {
  const client = useQueryClient();
  const at = job && `${job.state} ${job.done}`;
  useEffect(() => {
    if (at === undefined) return;
    void invalidate(client, ...touches);
  }, [at, client, touches]);
}

function Ended(props: Props & { job: Job }) {
  const { job, onClose, touches } = props;
  const [opened, setOpened] = useState<number | null>(null);
  const [again, setAgain] = useState(false);
  const goOn = useRetryJob();
  const end = endOf(job);
  const { act, failed, failedCount, settleJobId } = end;
  const ids = retryable(failed);
  const stopped = job.state !== "succeeded";

  useEffect(() => {
    if (settleJobId) followJob(settleJobId);
  }, [settleJobId]);

  if (again) return props.again(ids, act, () => setAgain(false));
  return (
    <>
      <Dialog
        onClose={onClose}
        title={endWords(end)}
        description={
          failedCount > 0
            ? "Each of these rows shows why it was refused. Correct it and try again."
            : undefined
        }
        size={failed.length > 0 ? "lg" : "md"}
        footer={
          <>
            {failed.length > 0 && (
              <CopyButton label="Copy list" text={() => failedAsText(failed)} />
            )}
            {ids.length > 0 && (
              <Button icon={RotateCw} onClick={() => setAgain(true)}>
                Retry these…
              </Button>
            )}
            {stopped && (
              <Button loading={goOn.isPending} onClick={() => goOn.mutate(job.id)}>
                Go on
              </Button>
            )}
            <Button onClick={onClose}>Close</Button>
          </>
        }
      >
        <div className="flex flex-col gap-4">
          {job.state === "failed" && (
            <Notice tone="danger" title="It stopped before its end">
              {job.message}
            </Notice>
          )}
          {job.state === "cancelled" && (
            <Notice tone="warning" title="It was stopped">
              Finished lots stay done. The others were not changed.
            </Notice>
          )}
          {settleJobId && <Settling jobId={settleJobId} touches={touches} />}
          {failed.length > 0 && (
            <SimpleTable
              caption="Not done"
              columns={columnsWith(setOpened)}
              rows={failed}
              getKey={(item) => item.id}
            />
          )}
          {failedCount > failed.length && (
            <p className="text-muted text-xs">The first {formatCount(failed.length)} are shown.</p>
          )}
          {!stopped && failedCount === 0 && !settleJobId && (
            <Notice tone="success">
              {act === "unlist" ? "Buyers no longer see them." : "The store has all of them."}
            </Notice>
          )}
        </div>
      </Dialog>
      {opened !== null && props.opened(opened, () => setOpened(null))}
    </>
  );
}

/** What got no answer is looked for in the store, and never sent a second time before that. */
function Settling({ jobId, touches }: { jobId: string; touches: readonly (Tag | QueryKey)[] }) {
  const { data: job } = useJob(jobId);
  useFollowRows(job, touches);
  if (job && isFinished(job)) {
    const end = endOf(job);
    return (
      <Notice
        tone={end.failedCount > 0 || job.state !== "succeeded" ? "warning" : "success"}
        title="The store was read again"
      >
        {job.state === "succeeded" ? `${endWords(end)}.` : job.message}
      </Notice>
    );
  }
  return (
    <Notice tone="info" title="Some calls got no answer">
      <p className="mb-2">
        Nothing is sent twice: in a minute the store is read to see whether it has them.
      </p>
      <JobProgress jobId={jobId} />
    </Notice>
  );
}

const columnsWith = (onOpen: (id: number) => void): readonly SimpleColumn<UnlistedItem>[] => [
  { header: "Id", cell: (item) => <span className="text-muted tabular-nums">{item.id}</span> },
  {
    header: "Item",
    cell: (item) => <span className="block min-w-24 sm:min-w-44">{item.name}</span>,
  },
  {
    header: "Reason",
    grow: true,
    cell: (item) => (
      <span className="flex min-w-24 flex-wrap items-center gap-1.5 sm:min-w-44">
        {item.outcome === "unknown" && <Badge tone="warning">not known</Badge>}
        {item.reason}
      </span>
    ),
  },
  {
    header: "Edit",
    cell: (item) => (
      <IconButton
        size="sm"
        label={`Open ${item.name || item.id}`}
        icon={Pencil}
        onClick={() => onOpen(item.id)}
      />
    ),
  },
];
