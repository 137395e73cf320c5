import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { isFinished, JobProgress, useJob } from "@/features/jobs/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { kindOf } from "@/shared/api/jobKinds";
import { counted } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { FileDrop } from "@/shared/ui/FileDrop";
import { RefusedRows } from "@/shared/ui/RefusedRows";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { catalogQueries } from "./queries";

const UPLOAD_MS = 600_000;

/**
 * Files of the catalogues, for whoever runs this server: what each of them is, and their import.
 * Others see nothing.
 */
export function CatalogFiles() {
  const access = useSideQuery(catalogQueries.access(), "who may add catalogue files");
  const [files, setFiles] = useState<readonly File[]>([]);
  const check = useMutation({
    mutationFn: async (chosen: readonly File[]) =>
      (await api.post("catalogImports/check", { form: { files: chosen }, timeoutMs: UPLOAD_MS }))
        .data,
  });
  const send = useMutation({
    mutationFn: async () =>
      one(await api.post("catalogImports", { form: { files }, timeoutMs: UPLOAD_MS })),
    onSuccess: () => check.reset(),
  });
  const discard = () => {
    check.reset();
    send.reset();
  };
  const { data: job } = useJob(send.data?.id);
  if (!access?.may_import) return null;
  const isRunning = Boolean(send.data && !(job && isFinished(job)));
  const readable = check.data?.filter(({ reason }) => !reason).length ?? 0;
  const error = check.error ?? send.error;
  return (
    <Card title="Enlarge the catalogue" className="mb-4">
      <div className="flex flex-col gap-3">
        <FileDrop
          label={check.isPending ? "Looking at the files" : "Add files of a catalogue"}
          hint="Your own downloads from BrickLink (keep their names, such as Parts.txt) or the CSV files of Rebrickable, also .gz or .zip. BrickLink’s names and numbers lead."
          disabled={check.isPending || send.isPending || isRunning}
          onFiles={(chosen) => {
            setFiles(chosen);
            send.reset();
            check.mutate(chosen);
          }}
        />
        {error && (
          <p role="alert" className="text-danger text-xs">
            {problemText(error)}
          </p>
        )}
        {check.data && (
          <>
            <ul aria-label="Files" className="text-sm">
              {check.data.map(({ name, table, reason }) => (
                <li key={name} className="break-words">
                  {name}: {reason ? <span className="text-danger">{reason}</span> : table}
                </li>
              ))}
            </ul>
            <div className="flex flex-wrap gap-2">
              {readable > 0 && (
                <Button variant="primary" loading={send.isPending} onClick={() => send.mutate()}>
                  Import {counted(readable, "file")}
                </Button>
              )}
              {!send.isPending && <Button onClick={discard}>Discard</Button>}
            </div>
          </>
        )}
        {send.data && isRunning && <JobProgress jobId={send.data.id} />}
        {job && isFinished(job) && (
          <p role={job.state === "succeeded" ? "status" : "alert"}>
            {job.state === "succeeded"
              ? `${kindOf(job).done(job)} What it says about your unknown numbers is shown below.`
              : job.message}
          </p>
        )}
        {job && job.failed_count > 0 && (
          <RefusedRows
            caption="Not imported"
            rows={job.failed.map(({ name, reason }) => ({
              id: null,
              name: String(name),
              reason: String(reason),
            }))}
            total={job.failed_count}
          />
        )}
      </div>
    </Card>
  );
}
