import { useQuery } from "@tanstack/react-query";
import { Archive, Download } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { isFinished, JobProgress, useJob } from "@/features/jobs/public";
import { download } from "@/shared/api/download";
import { kindOf } from "@/shared/api/jobKinds";
import { counted, formatCount, formatDateTime } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { useAskedFor } from "@/shared/lib/useAskedFor";
import { useHandedFile } from "@/shared/lib/useHandedFile";
import { useRefusedUpload } from "@/shared/outbox/useRefusedUpload";
import { Button, IconButton } from "@/shared/ui/Button";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { FileDrop } from "@/shared/ui/FileDrop";
import { RefusedRows } from "@/shared/ui/RefusedRows";
import { ErrorState } from "@/shared/ui/states";
import { tellFailure } from "@/shared/ui/tellFailure";
import {
  type Backup,
  backupQueries,
  isWriting,
  leftOutOf,
  useDeleteBackup,
  useMakeBackup,
  useRestoreBackup,
} from "./queries";

const KIB = 1024;

/** Everything of one's own as a zip, and a zip back into an empty account. */
export function BackupSettings() {
  return (
    <div className="px-4 py-3">
      <OwnData label="Back up now">
        <Restore />
      </OwnData>
    </div>
  );
}

/**
 * A button that makes a zip of everything, then `children`, and the latest of these zips: what is
 * fetched comes last, so that nothing moves when it is there.
 */
export function OwnData({ label, children }: { label: string; children?: ReactNode }) {
  const { data: backups, error, refetch } = useQuery(backupQueries.latest());
  const make = useMakeBackup();
  const writing = backups?.find(isWriting);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted text-xs">
        One zip with everything that is yours: your inventory as BSX and CSV, and every location,
        batch, set and movement, to bring back later. Passwords and the secrets of your store are
        not in it.
      </p>
      {writing ? (
        <Writing backup={writing} onEnd={() => void refetch()} />
      ) : (
        <div>
          <Button icon={Archive} loading={make.isPending} onClick={() => make.mutate()}>
            {label}
          </Button>
        </div>
      )}
      {make.error && (
        <p role="alert" className="text-danger text-xs">
          {problemText(make.error)}
        </p>
      )}
      {children}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {backups && <Earlier backups={backups.filter((one) => !isWriting(one))} />}
    </div>
  );
}

function Writing({ backup, onEnd }: { backup: Backup; onEnd: () => void }) {
  const { data: job } = useJob(backup.job_id);
  const ended = Boolean(job && isFinished(job));
  useEffect(() => {
    if (ended) onEnd();
  }, [ended, onEnd]);
  return <JobProgress jobId={backup.job_id} />;
}

function Earlier({ backups }: { backups: readonly Backup[] }) {
  const remove = useDeleteBackup();
  if (backups.length === 0) return null;
  return (
    <ul
      aria-label="Latest backups"
      className="divide-y divide-line rounded-control border border-line"
    >
      {backups.map((one) => (
        <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
          <span className="min-w-0 flex-1">
            <span className="block break-words">{one.file_name}</span>
            <span className="text-muted text-xs">
              {formatDateTime(one.createdAt)} ·{" "}
              {one.file_url
                ? `${formatCount(Math.ceil(one.size / KIB))} KiB`
                : `${one.state}${one.message ? `: ${one.message}` : ""}`}
            </span>
          </span>
          {one.file_url && (
            <IconButton
              label={`Download ${one.file_name}`}
              once
              icon={Download}
              onClick={() => {
                download(one.file_url ?? "", one.file_name).catch(tellFailure);
              }}
            />
          )}
          <DestructiveButton
            size="sm"
            variant="ghost"
            action={{
              label: "Delete",
              done: `${one.file_name} was deleted.`,
              confirm: `${one.file_name} is deleted for good. A new backup would hold your data as it is then.`,
              run: () => remove.mutateAsync(one.id),
            }}
          />
        </li>
      ))}
    </ul>
  );
}

const leftOutText = (count: number): string =>
  `${counted(count, "row or value", "rows or values")} could not be restored and ${count === 1 ? "was" : "were"} left out:`;

function Restore() {
  const restore = useRestoreBackup();
  const [key, setKey] = useState<string>();
  useAskedFor("restore", setKey);
  const { refused, forget } = useRefusedUpload(key);
  const error = restore.isIdle ? refused?.error : restore.error;
  const last = restore.variables ?? refused?.file;
  const send = (file: File) => {
    forget();
    restore.mutate(file);
  };
  useHandedFile(send);
  const { data: job } = useJob(restore.data?.id);
  const running = Boolean(restore.data && !(job && isFinished(job)));
  return (
    <div className="flex flex-col gap-2">
      <FileDrop
        label={restore.isPending ? "Sending the backup" : "Restore a backup"}
        hint="A .zip made here. It can be restored into an empty account only."
        suffixes={[".zip"]}
        disabled={restore.isPending || running}
        onFile={send}
      />
      {restore.data && running && <JobProgress jobId={restore.data.id} />}
      {error && (
        <p role="alert" className="text-danger text-xs">
          {problemText(error)}
        </p>
      )}
      {error && last && (
        <Button size="sm" onClick={() => send(last)}>{`Send ${last.name} again`}</Button>
      )}
      {job?.state === "failed" && (
        <p role="alert" className="text-danger text-xs">
          {job.message}
        </p>
      )}
      {job?.state === "succeeded" && (
        <>
          <p role="status" className="text-xs">
            {kindOf(job).done(job)}
            {job.failed_count > 0 && ` ${leftOutText(job.failed_count)}`}
          </p>
          {job.failed_count > 0 && (
            <RefusedRows caption="Left out" rows={leftOutOf(job)} total={job.failed_count} />
          )}
        </>
      )}
    </div>
  );
}
