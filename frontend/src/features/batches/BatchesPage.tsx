import { useQuery } from "@tanstack/react-query";
import {
  Archive,
  ArchiveRestore,
  ChartScatter,
  Copy,
  Download,
  FileUp,
  FolderOpen,
  Merge,
  Pencil,
  Plus,
  ScanLine,
  Tag,
  Trash2,
  X,
} from "lucide-react";
import { useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { type ExportAsked, ExportRun } from "@/features/exports/public";
import { SyncDialog, UndecidedImport } from "@/features/inventory/public";
import { useCurrency } from "@/features/profile/public";
import { sourceQueries } from "@/features/sources/public";
import { counted, formatCount } from "@/shared/lib/format";
import { idParam } from "@/shared/lib/idParam";
import { paths, pathTo } from "@/shared/lib/paths";
import { hides } from "@/shared/lib/role";
import { CLOSING, useAddress } from "@/shared/lib/useAddress";
import { useAskedFor } from "@/shared/lib/useAskedFor";
import { usePageKey } from "@/shared/lib/usePageKey";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { DataTable } from "@/shared/table/DataTable";
import { type TableState, useTableState } from "@/shared/table/tableState";
import { Button, ToggleButton } from "@/shared/ui/Button";
import { PageHeader } from "@/shared/ui/Card";
import { Switch } from "@/shared/ui/Checkbox";
import { ChoiceField } from "@/shared/ui/Field";
import { ListPage } from "@/shared/ui/ListPage";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { MenuEntry } from "@/shared/ui/Menu";
import { EmptyState, ErrorState, LoadProblem } from "@/shared/ui/states";
import { batchColumns } from "./columns";
import { useArchive } from "./detail/useArchive";
import { useKeepLost } from "./lost";
import type { Batch } from "./model";
import { saveBatchOf } from "./mutations";
import {
  ActDialog,
  BatchForm,
  DeleteBatch,
  ImportBatchDialog,
  LabelDialog,
  openItem,
  ValueOverCost,
} from "./parts";
import { batchQueries, batchRows } from "./queries";
import { useFollowList } from "./useFollowWork";
import { useWork, Work } from "./work";

const BatchDetail = lazyPart(() => import("./BatchDetail").then((m) => m.BatchDetail));

/** All batches, or one of them at `?batch=12`. */
export function BatchesPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  useKeepLost();
  const one = (id: number) => (
    <BatchDetail
      key={id}
      id={id}
      walking={params.has("walk")}
      onGone={() => navigate(paths.batches)}
    />
  );
  const [, change] = useAddress();
  const sync = idParam(params, "sync");
  return (
    <>
      <ListPage one={{ batch: one }}>
        <BatchList isAsking={sync !== null} />
      </ListPage>
      {sync !== null && (
        <SyncDialog key={sync} id={sync} onClose={() => change({ sync: null }, CLOSING)} />
      )}
    </>
  );
}

type BatchDialog =
  | { dialog: "new" }
  | { dialog: "import"; refused?: string }
  | { dialog: "edit" | "duplicate" | "merge" | "label" | "delete"; batch: Batch };

function BatchList({ isAsking }: { isAsking: boolean }) {
  const currency = useCurrency();
  const table = useTableState("batches", {
    columns: batchColumns,
    filters: ["source", "id"],
    ordering: "-created_at",
  });
  const showArchived = useClientState("options.showArchivedBatches");
  const rows = useMemo(() => batchRows(showArchived), [showArchived]);
  const [opened, setOpened] = useState<BatchDialog | null>(null);
  const navigate = useNavigate();
  const work = useWork();
  useFollowList();
  const { exportIt, runs } = useExports();
  const archive = useArchive();
  const [drawn, setDrawn] = useState(false);
  const begin = () => setOpened({ dialog: "new" });
  const takeIn = () => setOpened({ dialog: "import" });
  usePageKey("n", "New batch", begin);
  useAskedFor("new", begin);
  useAskedFor("import", (refused) => setOpened({ dialog: "import", refused }));
  const open = (batch: Batch) => void navigate(`?batch=${batch.id}`);

  return (
    <>
      <PageHeader
        title="Batches"
        description="A batch is one purchase, or one evening of sorting."
        actions={
          <>
            <Button needs="write batches/importBsx" icon={FileUp} onClick={takeIn}>
              Import BSX
            </Button>
            <Button
              variant="primary"
              icon={Plus}
              title="Key N"
              aria-keyshortcuts="N"
              onClick={begin}
            >
              New batch
            </Button>
          </>
        }
      />
      {!isAsking && (
        <UndecidedImport target="batch" onShow={(sync) => void navigate(`?sync=${sync}`)} />
      )}
      {drawn && <ValueOverCost params={table.params} showArchived={showArchived} />}
      <Work value={work}>
        <DataTable
          label="Batches"
          table={table}
          currency={currency}
          columns={batchColumns}
          source={rows}
          searchLabel="Search batches"
          toolbar={
            <>
              <Toolbar table={table} showArchived={showArchived} />
              {!hides("cost_total") && (
                <ToggleButton icon={ChartScatter} on={drawn} onToggle={setDrawn}>
                  Value over cost
                </ToggleButton>
              )}
            </>
          }
          rowActions={(batch) =>
            batchEntries(batch, {
              open: () => open(batch),
              stow: () => void navigate(pathTo("stow", { batch: batch.id })),
              export: () => exportIt(batch),
              archive: () => archive.toggle(batch),
              ask: (dialog) => setOpened({ dialog, batch }),
            })
          }
          onOpen={open}
          onEdit={saveBatchOf}
          rowName={({ name }) => name}
          empty={<NoBatches showArchived={showArchived} onNew={begin} onImport={takeIn} />}
        />
      </Work>
      <Dialogs opened={opened} onClose={() => setOpened(null)} onSaved={open} />
      {runs}
    </>
  );
}

/** What can be done with a batch of the list. */
function batchEntries(
  batch: Batch,
  run: Record<"open" | "stow" | "export" | "archive", () => void> & {
    ask: (dialog: "edit" | "duplicate" | "merge" | "label" | "delete") => void;
  },
): MenuEntry[] {
  const closed = batch.is_archived && "It is archived";
  return [
    { id: "open", label: "Open", icon: FolderOpen, run: run.open },
    { id: "stow", label: "Stow into it", icon: ScanLine, disabledReason: closed, run: run.stow },
    {
      id: "edit",
      label: "Rename and edit",
      icon: Pencil,
      disabledReason: closed,
      run: () => run.ask("edit"),
    },
    { id: "duplicate", label: "Duplicate empty", icon: Copy, run: () => run.ask("duplicate") },
    {
      id: "merge",
      label: "Merge into…",
      icon: Merge,
      disabledReason: closed,
      run: () => run.ask("merge"),
    },
    {
      id: "export",
      label: "Export BSX",
      icon: Download,
      disabledReason: batch.batch_item_lot_count === 0 && "The batch is empty",
      run: run.export,
    },
    { id: "label", label: "Print its label…", icon: Tag, run: () => run.ask("label") },
    {
      id: "archive",
      label: batch.is_archived ? "Restore" : "Archive",
      icon: batch.is_archived ? ArchiveRestore : Archive,
      run: run.archive,
    },
    "separator",
    {
      id: "delete",
      label: "Delete",
      icon: Trash2,
      danger: true,
      disabledReason: closed,
      run: () => run.ask("delete"),
    },
  ];
}

/** Exports of batches, one after the other: each with its own progress. */
function useExports() {
  const [exported, setExported] = useState<readonly (ExportAsked & { turn: number })[]>([]);
  return {
    exportIt: ({ id }: Batch) =>
      setExported((before) => [
        ...before,
        { kind: "bsx", scope: "batch", batch_id: id, turn: before.length },
      ]),
    runs: exported.map((asked) => <ExportRun key={asked.turn} asked={asked} openRow={openItem} />),
  };
}

function Dialogs(props: {
  opened: BatchDialog | null;
  onClose: () => void;
  onSaved: (batch: Batch) => void;
}) {
  const { opened, onClose, onSaved } = props;
  const navigate = useNavigate();
  // By then its own page is drawn, or another one: the address says which.
  const leave = ({ id }: Batch) => {
    const shown = new URLSearchParams(window.location.search).get("batch");
    if (shown === String(id)) void navigate(paths.batches);
  };
  switch (opened?.dialog) {
    case "new":
      return <BatchForm onClose={onClose} onSaved={onSaved} onTakenBack={leave} />;
    case "import":
      return <ImportBatchDialog refusedKey={opened.refused} onClose={onClose} />;
    case "edit":
      return <BatchForm batch={opened.batch} onClose={onClose} />;
    case "duplicate":
      return (
        <BatchForm like={opened.batch} onClose={onClose} onSaved={onSaved} onTakenBack={leave} />
      );
    case "merge": {
      const { id, batch_item_lot_count: count } = opened.batch;
      const act = { batchId: id, items: "all", count, onClose, onDone: onClose } as const;
      return <ActDialog kind="merge" batch={opened.batch} act={act} />;
    }
    case "label":
      return <LabelDialog batch={opened.batch} onClose={onClose} />;
    case "delete":
      return <DeleteBatch batch={opened.batch} onClose={onClose} />;
    default:
      return null;
  }
}

function Toolbar({ table, showArchived }: { table: TableState; showArchived: boolean }) {
  return (
    <>
      {table.filters.id && (
        <Button size="sm" icon={X} onClick={() => table.setFilter("id", null)}>
          {counted(table.filters.id.split(",").length, "batch", "batches")} that wait
        </Button>
      )}
      <SourceFilter
        value={table.filters.source ?? ""}
        onChange={(value) => table.setFilter("source", value)}
      />
      <Switch
        label="Show archived batches"
        checked={showArchived}
        onChange={(checked) => {
          clientStore.set("options.showArchivedBatches", checked);
          if (table.pageIndex > 0) table.setPageIndex(0);
        }}
      />
    </>
  );
}

function NoBatches(props: { showArchived: boolean; onNew: () => void; onImport: () => void }) {
  const query = useQuery({ ...batchQueries.archivedCount(), enabled: !props.showArchived });
  const archived = query.data ?? 0;
  // All of them may be archived: "none" would be a guess.
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <EmptyState
      icon={FolderOpen}
      title={
        archived > 0
          ? "All archived"
          : "No batches. A batch is one purchase or one evening of sorting."
      }
      actions={
        <>
          {archived > 0 && (
            <Button
              icon={Archive}
              onClick={() => clientStore.set("options.showArchivedBatches", true)}
            >
              Show {formatCount(archived)} archived
            </Button>
          )}
          <Button needs="write batches/importBsx" icon={FileUp} onClick={props.onImport}>
            Import BSX
          </Button>
          <Button variant="primary" icon={Plus} onClick={props.onNew}>
            New batch
          </Button>
        </>
      }
    >
      {archived > 0
        ? "Restore one of them, or start a new one."
        : "Start one, or import a BSX file as one."}
    </EmptyState>
  );
}

/** Narrows batches to those of one source; not drawn while there are no sources. */
function SourceFilter(props: { value: string; onChange: (value: string | null) => void }) {
  const query = useQuery(sourceQueries.options());
  const sources = query.data ?? [];
  if (query.error) return <LoadProblem query={query} what="Your sources" />;
  if (sources.length === 0) return null;
  return (
    <ChoiceField
      label="Source"
      hideLabel
      className="w-full sm:w-52"
      value={props.value}
      onChange={(value) => props.onChange(value || null)}
      options={[
        { value: "", label: "Any source" },
        ...sources.map((source) => ({ value: String(source.id), label: source.name })),
      ]}
    />
  );
}
