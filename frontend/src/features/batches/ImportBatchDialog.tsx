import { CircleCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { isFinished, type Job, JobProgress, useJob, useJobShownHere } from "@/features/jobs/public";
import {
  type SeveralChoice,
  SeveralLocations,
  type SeveralQuestion,
} from "@/features/locations/public";
import { ApiError } from "@/shared/api/errors";
import { useRefusedUpload } from "@/shared/api/useRefusedUpload";
import { numberOf } from "@/shared/lib/amounts";
import { counted, formatCount } from "@/shared/lib/format";
import { problemFields, problemText } from "@/shared/lib/problem";
import { useStable } from "@/shared/lib/useStable";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Button } from "@/shared/ui/Button";
import { CheckField } from "@/shared/ui/Checkbox";
import { Dialog } from "@/shared/ui/Dialog";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { FileDrop } from "@/shared/ui/FileDrop";
import { RefusedRows } from "@/shared/ui/RefusedRows";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Loading, Notice, ProgressBar } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import type { Batch, FailedItem } from "./model";
import { type ImportRequest, useImportBatch, useUndoAct } from "./mutations";

type Currencies = { file_currency: string; store_currency: string };

const ignored: SeveralChoice = { several_locations: "ignore", split_quantities: false };

type Into = Pick<Batch, "id" | "name">;

/** Imports a file of lots as a batch, or into one: choose, upload, follow, open. */
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

  const failed = job?.state === "failed" || job?.state === "cancelled";
  const batchId = Number(job?.result.batch_id);
  const ended = job !== undefined && isFinished(job);
  // Nothing to read at its end: on to the batch.
  const clean =
    job?.state === "succeeded" &&
    job.failed_count === 0 &&
    warningsOf(job) === 0 &&
    !isConsolidated(job);
  useEffect(() => {
    if (!clean) return;
    onClose();
    void navigate(`/app/batches?batch=${batchId}`);
  }, [clean, batchId, navigate, onClose]);

  if (refused === undefined) {
    return (
      <Dialog open onClose={onClose} title="Import a file" size="md">
        <Loading />
      </Dialog>
    );
  }
  if (jobId === null || failed) {
    const first = asked ?? (refused?.file && { ...refused.fields, file: refused.file });
    return (
      <ChooseFile
        into={into}
        first={first ?? null}
        refusal={jobId === null ? (refused?.error ?? null) : null}
        problem={failed ? job.message || "The import was stopped." : null}
        onStarted={(id, chosen) => {
          forget();
          setAsked(chosen);
          setJobId(id);
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={ended ? "File imported" : "Importing the file"}
      description={
        ended ? undefined : "It goes on when you close this; its lots appear when all are read."
      }
      size="lg"
      footer={
        ended ? (
          <Button
            variant="primary"
            onClick={() => {
              onClose();
              void navigate(`/app/batches?batch=${batchId}`);
            }}
          >
            Open batch
          </Button>
        ) : (
          <Button onClick={onClose}>Go on in the background</Button>
        )
      }
    >
      {ended ? <Result job={job} /> : <JobProgress jobId={jobId} />}
    </Dialog>
  );
}

const warningsOf = (job: Job) => Number(job.result.warning_count ?? 0);

type Consolidation = { consolidated?: number; act_id?: number | null; not_consolidated?: string };

const isConsolidated = ({ result }: Job) =>
  "consolidated" in result || "not_consolidated" in result;

function Result({ job }: { job: Job }) {
  const { lots, pieces, unknown } = job.result as Record<string, number>;
  const failed = job.failed as unknown as FailedItem[]; // rows of this kind of job
  const warnings = (job.result.warnings ?? []) as { item: number | null; message: string }[];
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-center gap-2">
        <CircleCheck aria-hidden="true" className="size-4 text-success" />
        {counted(Number(lots), "lot")}, {counted(Number(pieces), "piece")}
        {Number(unknown) > 0 && `; ${formatCount(unknown)} not in the catalogue, kept`}.
      </p>
      {isConsolidated(job) && (
        <Consolidated batchId={Number(job.result.batch_id)} told={job.result as Consolidation} />
      )}
      {failed.length > 0 && (
        <section className="flex flex-col gap-2">
          <h3 className="font-medium">{counted(job.failed_count, "lot")} could not be read</h3>
          <RefusedRows caption="Refused items" rows={failed} total={job.failed_count} />
        </section>
      )}
      {warnings.length > 0 && (
        <details>
          <summary className="text-accent-ink text-sm">
            {warningsOf(job) === 1
              ? "1 value was read differently than it was written"
              : `${formatCount(warningsOf(job))} values were read differently than they were written`}
          </summary>
          <ul className="mt-2 max-h-60 list-disc overflow-y-auto pl-5 text-sm">
            {warnings.map((warning, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a report that never changes
              <li key={index}>
                {warning.item !== null && `Item ${warning.item}: `}
                {warning.message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** The consolidated rows, with an undo; or the reason why there are none. */
function Consolidated({ batchId, told }: { batchId: number; told: Consolidation }) {
  const { consolidated = 0, act_id: actId, not_consolidated: why } = told;
  const undo = useUndoAct(batchId, { tellsFailure: true });
  const words =
    consolidated === 0
      ? "No rows were consolidated with an equal lot."
      : `${counted(consolidated, "row")} consolidated with an equal lot.`;
  return (
    <Notice
      tone={why ? "warning" : "info"}
      title={undo.isSuccess ? "Undone: the rows are separate again." : words}
      actions={
        actId && !undo.isSuccess ? (
          <Button size="sm" loading={undo.isPending} onClick={() => undo.mutate(actId)}>
            Undo
          </Button>
        ) : undefined
      }
    >
      {why}
    </Notice>
  );
}

/** A request, or its fields as a form sends them. */
type Chosen = {
  file: File;
  name?: string;
  remarks_mean?: ImportRequest["remarks_mean"];
  currency_action?: "relabel" | "convert";
  rate?: string;
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
  const [currency, setCurrency] = useState(first?.currency_action ?? "relabel");
  const [rate, setRate] = useState(first?.rate ?? "");
  const repair = useControl(isYes(first?.repair));
  const consolidate = useControl(isYes(first?.consolidate));
  const [sent, setSent] = useState<{ done: number; total: number } | null>(null);
  const upload = useImportBatch((done, total) => setSent({ done, total }));
  const error = upload.isIdle ? props.refusal : upload.error;
  // What was asked stays asked: a refusal names one question, and the next may name another.
  const [currencies, setCurrencies] = useState(() => error && currenciesOf(error));
  const [several, setSeveral] = useState(() => error && severalOf(error));
  const [choice, setChoice] = useState<SeveralChoice>(ignored);
  const isAsked = error !== null && (currenciesOf(error) ?? severalOf(error)) !== null;

  const submit = () => {
    if (!file) return;
    const request: ImportRequest = {
      file,
      name: name.trim(),
      into: into?.id,
      consolidate: (into && consolidate.value) || undefined,
      remarks_mean: remarks,
      ...(remarks !== "nothing" && (several ? choice : { several_locations: "ask" as const })),
      repair: repair.value || undefined,
      ...(currencies && { currency_action: currency }),
      ...(currencies && currency === "convert" && { rate: numberOf(rate) }),
    };
    upload.mutate(request, {
      onSuccess: (id) =>
        onStarted(id, {
          file,
          name,
          remarks_mean: remarks,
          currency_action: currency,
          rate,
          repair: repair.value,
          consolidate: consolidate.value,
        }),
      onError: (refusal) => {
        setCurrencies(currenciesOf(refusal) ?? currencies);
        setSeveral(severalOf(refusal) ?? several);
      },
      onSettled: () => setSent(null),
    });
  };
  const told = error && !isAsked ? problemOf(error) : problem;

  return (
    <ActDialog
      onClose={onClose}
      title={into ? `Import a file into ${into.name}` : "Import a file as a batch"}
      description={
        into
          ? "The lots of the file join this batch as new items."
          : "The file becomes a batch of its own. Your stock is not touched until you stow it."
      }
      size="md"
      act="Import"
      pending={upload.isPending}
      why={
        !file
          ? "Choose a file"
          : currencies && currency === "convert" && !(Number(numberOf(rate)) > 0)
            ? "Type the rate"
            : null
      }
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
            setCurrencies(null);
            setSeveral(null);
            setChoice(ignored);
            if (name === "") setName(chosen.name.replace(/\.[^.]+$/, ""));
          }}
        />
        {sent && <ProgressBar label="Uploading" done={sent.done} total={sent.total} />}
        {!into && <InputField label="Name of the batch" value={name} onChange={setName} />}
        <ChoiceField
          label="Remarks"
          hint="Sellers keep the name of the bin in Remarks."
          value={remarks}
          onChange={(value) => {
            setRemarks(value);
            setSeveral(null);
          }}
          options={[
            { value: "locations", label: "Name bins; missing ones are made" },
            { value: "existing_locations", label: "Name bins that exist" },
            { value: "nothing", label: "Are only remarks" },
          ]}
        />
        {into && (
          <CheckField
            label="Consolidate with equal lots that are new in the batch"
            hint="Those of the same condition and planned bin become one: prices are averaged, texts joined. It can be undone."
            {...consolidate}
          />
        )}
        {currencies && (
          <CurrencyQuestion
            currencies={currencies}
            action={currency}
            onAction={setCurrency}
            rate={rate}
            onRate={setRate}
          />
        )}
        {several && <SeveralLocations question={several} choice={choice} onChoice={setChoice} />}
        {told && (
          <CheckField label="The file is cut off: take the lots that are whole" {...repair} />
        )}
      </div>
    </ActDialog>
  );
}

function problemOf(error: Error): string {
  return problemFields(error).file?.join(" ") ?? problemText(error);
}

type Asked = Currencies & { several_locations: SeveralQuestion };

/** What a refusal asks about. */
function askedBy(error: Error): Partial<Asked> {
  if (!(error instanceof ApiError) || error.status !== 409) return {};
  const [data] = error.data as Partial<Asked>[]; // what these refusals carry
  return data ?? {};
}

const severalOf = (error: Error) => askedBy(error).several_locations ?? null;

/** The two currencies of a refusal that asks about them, or null. */
function currenciesOf(error: Error): Currencies | null {
  const { file_currency, store_currency } = askedBy(error);
  return file_currency && store_currency ? { file_currency, store_currency } : null;
}

function CurrencyQuestion(props: {
  currencies: Currencies;
  action: "relabel" | "convert";
  onAction: (action: "relabel" | "convert") => void;
  rate: string;
  onRate: (rate: string) => void;
}) {
  const { file_currency, store_currency } = props.currencies;
  return (
    <Notice
      tone="warning"
      title={`The file is in ${file_currency}, your store in ${store_currency}`}
    >
      <div className="mt-2 flex flex-col gap-3 text-ink">
        <SegmentedControl
          label="What to do with its amounts"
          value={props.action}
          onChange={props.onAction}
          options={{ relabel: `Take them as ${store_currency}`, convert: "Convert" }}
        />
        {props.action === "convert" && (
          <InputField
            label={`One ${file_currency} is how many ${store_currency}?`}
            numeric
            value={props.rate}
            onChange={props.onRate}
            placeholder="0.92"
          />
        )}
      </div>
    </Notice>
  );
}
