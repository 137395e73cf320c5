import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Blocks, Hammer, Plus } from "lucide-react";
import { useEffect, useMemo } from "react";
import { isFinished, JobProgress, useJob } from "@/features/jobs/public";
import { formatCount, formatDateTime } from "@/shared/lib/format";
import { paths } from "@/shared/lib/paths";
import { invalidate } from "@/shared/lib/tags";
import { DataTable } from "@/shared/table/DataTable";
import { useTableState } from "@/shared/table/tableState";
import { BackLink } from "@/shared/ui/BackLink";
import { Button } from "@/shared/ui/Button";
import { Card, PageHeader } from "@/shared/ui/Card";
import { ChoiceField } from "@/shared/ui/Field";
import { EmptyState, Loaded, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useControl } from "@/shared/ui/useControl";
import { buildableColumns } from "./columns";
import type { BuildableSet, BuildSearch } from "./model";
import { useAddSets, useStartSearch } from "./mutations";
import { buildableRows, setQueries } from "./queries";

const percents = [
  { value: "100", label: "All of it" },
  { value: "90", label: "90 % or more" },
  { value: "75", label: "75 % or more" },
  { value: "50", label: "50 % or more" },
  { value: "25", label: "25 % or more" },
];
const sizes = [
  { value: "1", label: "Any size" },
  { value: "20", label: "20 pieces or more" },
  { value: "100", label: "100 pieces or more" },
  { value: "500", label: "500 pieces or more" },
];

/** Which sets the stock makes, or nearly: worked out by a job, kept until the next time. */
export function BuildPanel() {
  const last = useQuery(setQueries.lastSearch());
  const client = useQueryClient();
  const running = last.data && last.data.finishedAt === null ? last.data.job_id : null;
  const job = useJob(running);
  const ended = job.data !== undefined && running !== null && isFinished(job.data);
  useEffect(() => {
    if (ended) void invalidate(client, "buildSearches");
  }, [ended, client]);

  return (
    <>
      <BackLink to={paths.sets}>All sets</BackLink>
      <PageHeader
        title="What can I build?"
        description="Sets of the catalogue that your stock makes, or nearly."
      />
      <Loaded query={last}>
        {(data) => (
          <div className="flex flex-col gap-4">
            <Start last={data} busy={running !== null && !ended} />
            {running !== null && !ended && (
              <Card>
                <JobProgress jobId={running} />
              </Card>
            )}
            {ended && job.data?.state !== "succeeded" && (
              <Notice tone="warning">
                It was stopped before it had an answer. {job.data?.message}
              </Notice>
            )}
            {data?.finishedAt && <Found search={data} />}
          </div>
        )}
      </Loaded>
    </>
  );
}

function Start({ last, busy }: { last: BuildSearch | null; busy: boolean }) {
  const percent = useControl(String(last?.least_percent ?? 75));
  const size = useControl(String(last?.least_pieces ?? 20));
  const start = useStartSearch();
  const offered = (options: typeof percents, value: string) =>
    options.some((option) => option.value === value)
      ? options
      : [...options, { value, label: value }];
  return (
    <Card>
      <div className="flex flex-wrap items-end gap-3">
        <ChoiceField
          label="In stock"
          className="w-44"
          options={offered(percents, percent.value)}
          {...percent}
        />
        <ChoiceField label="Size" className="w-44" options={offered(sizes, size.value)} {...size} />
        <Button
          variant="primary"
          icon={Hammer}
          loading={start.isPending}
          disabledReason={busy && "Comparing sets with your stock"}
          onClick={() =>
            start.mutate({ least_pieces: Number(size.value), least_percent: Number(percent.value) })
          }
        >
          Find sets
        </Button>
      </div>
      <p className="pt-3 text-muted text-xs">
        Colours count. Each set is compared with all of your stock, so two sets may want the same
        pieces. A minifig that you lack counts by its parts.
      </p>
    </Card>
  );
}

function Found({ search }: { search: BuildSearch }) {
  const table = useTableState("buildableSets", { columns: buildableColumns, ordering: "-percent" });
  const rows = useMemo(() => buildableRows(search.id), [search.id]);
  const add = useAddSets({ tellsFailure: true });
  const addAsPlan = (set: BuildableSet) =>
    add.mutate(
      { numbers: set.number, state: "to_build", condition: "U", again: false },
      {
        onSuccess: ({ refused }) => {
          const [why] = refused;
          if (why) toast.error(why.reason);
          else toast.success(`${set.number} is in My Sets, to build`);
        },
      },
    );
  return (
    <>
      <p className="text-muted text-sm" role="status">
        {formatCount(search.set_count)} sets compared, {formatDateTime(search.finishedAt)}.
      </p>
      <DataTable
        label="Sets that the stock makes"
        table={table}
        columns={buildableColumns}
        source={rows}
        searchLabel="Search these sets"
        rowActions={(set) => [
          { id: "add", label: "Add to My Sets, to build", icon: Plus, run: () => addAsPlan(set) },
        ]}
        empty={
          <EmptyState icon={Blocks} title="None">
            Your stock reaches that share of no set in the catalogue. Ask for less, or import the
            contents of more sets.
          </EmptyState>
        }
      />
    </>
  );
}
