import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { SyncDialog, undoImport } from "@/features/inventory/public";
import { isFinished, JobProgress, useJob, useJobShownHere } from "@/features/jobs/public";
import { doneText, resultNumber } from "@/shared/api/jobKinds";
import { pathTo } from "@/shared/lib/paths";
import { problemFields, problemText } from "@/shared/lib/problem";
import { useStable } from "@/shared/lib/useStable";
import { useRefusedUpload } from "@/shared/outbox/useRefusedUpload";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Button } from "@/shared/ui/Button";
import { CheckField } from "@/shared/ui/Checkbox";
import { Dialog } from "@/shared/ui/Dialog";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { FileDrop } from "@/shared/ui/FileDrop";
import { Notice, ProgressBar } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useControl } from "@/shared/ui/useControl";
import type { Batch } from "./model";
import { type ImportRequest, useImportBatch } from "./mutations";

type Into = Pick<Batch, "id" | "name">;

/** Imports a file of lots as a batch, or into one. What it asks or warns of is shown first. */
export function ImportBatchDialog(props: {
  into?: Into | undefined;
  /** Of a file that a reload cut off and that was refused then. */
  refusedKey?: string | undefined;
  onClose: () => void;
}) {
  const { into } = props;
  const { refused, forget } = useRefusedUpload(props.refusedKey);
  const onClose = useStable(() => {
    forget();
    props.onClose();
  });
  const [jobId, setJobId] = useState<string | null>(null);
  const [asked, setAsked] = useState<Chosen | null>(null);
  const { data: job } = useJob(jobId);
  const navigate = useNavigate();
  useJobShownHere(jobId);

  const over = job && isFinished(job) ? job : null;
  const stopped = over?.state === "failed" || over?.state === "cancelled";
  const sync = over && resultNumber(over, "sync_id");
  const batch = over && resultNumber(over, "batch_id");
  const isRead = over !== null && "not_consolidated" in over.result;
  // Nothing to read at its end: on to the batch.
  const clean = over?.state === "succeeded" && sync !== null && batch !== null && !isRead;
  useEffect(() => {
    if (!clean) return;
    const show = pathTo("batches", { batch });
    toast.success(doneText("Batch imported", over, "lot", "lots"), {
      duration: UNDO_MS,
      action: {
        label: "Undo",
        // What changed since is asked about there.
        run: () => undoImport(sync).catch(() => navigate(`${show}&sync=${sync}`)),
      },
    });
    onClose();
    void navigate(show);
  }, [clean, over, sync, batch, navigate, onClose]);

  if (clean) return null;
  if (jobId === null || (stopped && sync === null)) {
    const first = asked ?? (refused?.file && { ...refused.fields, file: refused.file });
    return (
      <ChooseFile
        into={into}
        first={first ?? null}
        refusal={jobId === null ? (refused?.error ?? null) : null}
        problem={stopped ? over?.message || "The import was stopped." : null}
        onStarted={(id, chosen) => {
          forget();
          setAsked(chosen);
          setJobId(id);
        }}
        onClose={onClose}
      />
    );
  }
  if (sync !== null) return <SyncDialog id={sync} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Reading the file"
      description="The import continues if you close this; its lots appear when all are read."
      size="md"
      footer={<Button onClick={onClose}>Keep working</Button>}
    >
      <JobProgress jobId={jobId} />
    </Dialog>
  );
}

/** How long an undo is offered. */
const UNDO_MS = 12_000;

/** A request, or its fields as a form sends them. */
type Chosen = {
  file: File;
  name?: string;
  remarks_mean?: ImportRequest["remarks_mean"];
  repair?: boolean | string;
  consolidate?: boolean | string;
};

const isYes = (value: boolean | string | undefined) => value === true || value === "true";

function ChooseFile(props: {
  into: Into | undefined;
  /** What was chosen and not taken: the form begins with it. */
  first: Chosen | null;
  refusal: Error | null;
  problem: string | null;
  onStarted: (jobId: string, chosen: Chosen) => void;
  onClose: () => void;
}) {
  const { into, first, problem, onStarted, onClose } = props;
  const [file, setFile] = useState<File | null>(first?.file ?? null);
  const [name, setName] = useState(first?.name ?? "");
  const [remarks, setRemarks] = useState(first?.remarks_mean ?? "locations");
  const repair = useControl(isYes(first?.repair));
  const consolidate = useControl(isYes(first?.consolidate));
  const [sent, setSent] = useState<{ done: number; total: number } | null>(null);
  const upload = useImportBatch((done, total) => setSent({ done, total }));
  const error = upload.isIdle ? props.refusal : upload.error;
  const told = error ? problemOf(error) : problem;

  const submit = () => {
    if (!file) return;
    const request: ImportRequest = {
      file,
      name: name.trim(),
      into: into?.id,
      consolidate: (into && consolidate.value) || undefined,
      remarks_mean: remarks,
      several_locations: "ask",
      shows_warnings: true,
      repair: repair.value || undefined,
    };
    upload.mutate(request, {
      onSuccess: (id) => {
        if (id === null) return onClose();
        onStarted(id, {
          file,
          name,
          remarks_mean: remarks,
          repair: repair.value,
          consolidate: consolidate.value,
        });
      },
      onSettled: () => setSent(null),
    });
  };
  return (
    <ActDialog
      onClose={onClose}
      title={into ? `Import a file into ${into.name}` : "Import a file as a batch"}
      description={
        into
          ? "The lots of the file join this batch as new items. You see everything before it is imported."
          : "The file becomes a new batch. You see everything before it is imported; your stock changes only when you stow it."
      }
      size="md"
      act="Import"
      pending={upload.isPending}
      why={file ? null : "Choose a file"}
      onAct={submit}
    >
      <div className="flex flex-col gap-4">
        {told && (
          <Notice tone="danger" title="The file was not imported">
            {told}
          </Notice>
        )}
        <FileDrop
          label={file ? file.name : "Drop a file here, or choose one"}
          hint={
            file ? "Choose another one" : "BSX, BrickLink XML, CSV, TSV, XLSX or ODS; up to 64 MB"
          }
          disabled={upload.isPending}
          onFile={(chosen) => {
            setFile(chosen);
            upload.reset();
            if (name === "") setName(chosen.name.replace(/\.[^.]+$/, ""));
          }}
        />
        {sent && <ProgressBar label="Uploading" done={sent.done} total={sent.total} />}
        {!into && <InputField label="Name of the batch" value={name} onChange={setName} />}
        <ChoiceField
          label="Remarks"
          hint="Sellers keep the name of the bin in Remarks."
          value={remarks}
          onChange={setRemarks}
          options={[
            { value: "locations", label: "Name bins; missing ones are made" },
            { value: "existing_locations", label: "Name bins that exist" },
            { value: "nothing", label: "Are only remarks" },
          ]}
        />
        {into && (
          <CheckField
            label="Consolidate with equal new lots of the batch"
            hint="Those of the same condition and planned bin become one: prices are averaged, texts joined. It can be undone."
            {...consolidate}
          />
        )}
        {told && <CheckField label="The file is cut off: import its complete lots" {...repair} />}
      </div>
    </ActDialog>
  );
}

function problemOf(error: Error): string {
  return problemFields(error).file?.join(" ") ?? problemText(error);
}
