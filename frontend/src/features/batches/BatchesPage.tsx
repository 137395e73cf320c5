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
import { useCallback, useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { type ExportAsked, ExportRun } from "@/features/exports/public";
import { profileQueries } from "@/features/profile/public";
import { counted, formatCount } from "@/shared/lib/format";
import { idParam } from "@/shared/lib/idParam";
import { useAskedFor } from "@/shared/lib/useAskedFor";
import { usePageKey } from "@/shared/lib/usePageKey";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { DataTable } from "@/shared/table/DataTable";
import { type TableState, useTableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { Switch } from "@/shared/ui/Checkbox";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { MenuEntry } from "@/shared/ui/Menu";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState, ErrorState } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { batchColumns } from "./columns";
import { useKeepLost } from "./lost";
import type { Batch } from "./model";
import { useArchiveBatch, useEditBatch } from "./mutations";
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
import { SourceFilter } from "./SourceFilter";
import { useFollowList } from "./useFollowWork";
import { useWork, Work } from "./work";

const BatchDetail = lazyPart(() => import("./BatchDetail").then((m) => m.BatchDetail));

/** All batches, or one of them at `?batch=12`. */
export function BatchesPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const id = idParam(params, "batch");
  useKeepLost();
  return (
    <Page wide>
      {id === null ? (
        <BatchList />
      ) : (
        <BatchDetail
          key={id}
          id={id}
          walking={params.has("walk")}
          onGone={() => navigate("/app/batches")}
        />
      )}
    </Page>
  );
}

type Opened =
  | { dialog: "new" }
  | { dialog: "import"; refused?: string }
  | { dialog: "edit" | "duplicate" | "merge" | "label" | "delete"; batch: Batch };

function BatchList() {
  const currency = useSideQuery(profileQueries.preferences(), "your currency")?.currency;
  const table = useTableState("batches", {
    columns: batchColumns,
    filters: ["source", "id"],
    ordering: "-created_at",
  });
  const showArchived = useClientState("options.showArchivedBatches");
  const rows = useMemo(() => batchRows(showArchived), [showArchived]);
  const [opened, setOpened] = useState<Opened | null>(null);
  const navigate = useNavigate();
  const edit = useEditBatch();
  const work = useWork();
  useFollowList();
  const archive = useArchiveBatch();
  const [exported, setExported] = useState<readonly (ExportAsked & { turn: number })[]>([]);
  const [drawn, setDrawn] = useState(false);
  const close = useCallback(() => setOpened(null), []);
  usePageKey("n", "New batch", () => setOpened({ dialog: "new" }));
  useAskedFor("new", () => setOpened({ dialog: "new" }));
  useAskedFor("import", (refused) => setOpened({ dialog: "import", refused }));
  const open = (batch: Batch) => void navigate(`?batch=${batch.id}`);
  // By then its own page is drawn, or another one: the address says which.
  const leave = ({ id }: Batch) => {
    const shown = new URLSearchParams(window.location.search).get("batch");
    if (shown === String(id)) void navigate("/app/batches");
  };

  const toggleArchived = (batch: Batch) =>
    archive.mutate(
      { id: batch.id, archived: !batch.is_archived },
      {
        onSuccess: () =>
          toast.success(
            batch.is_archived ? `${batch.name} restored` : `${batch.name} archived`,
            batch.is_archived
              ? undefined
              : {
                  action: {
                    label: "Undo",
                    run: () => archive.mutate({ id: batch.id, archived: false }),
                  },
                },
          ),
      },
    );

  const actionsOf = (batch: Batch): MenuEntry[] => [
    {
      id: "open",
      label: "Open",
      icon: FolderOpen,
      run: () => open(batch),
    },
    {
      id: "stow",
      label: "Stow into it",
      icon: ScanLine,
      disabledReason: batch.is_archived && "It is archived",
      run: () => void navigate(`/app/stow-inventory?batch=${batch.id}`),
    },
    {
      id: "edit",
      label: "Rename and edit",
      icon: Pencil,
      disabledReason: batch.is_archived && "It is archived",
      run: () => setOpened({ dialog: "edit", batch }),
    },
    {
      id: "duplicate",
      label: "Duplicate empty",
      icon: Copy,
      run: () => setOpened({ dialog: "duplicate", batch }),
    },
    {
      id: "merge",
      label: "Merge into…",
      icon: Merge,
      disabledReason: batch.is_archived && "It is archived",
      run: () => setOpened({ dialog: "merge", batch }),
    },
    {
      id: "export",
      label: "Export BSX",
      icon: Download,
      disabledReason: batch.batch_item_lot_count === 0 && "The batch is empty",
      run: () =>
        setExported((before) => [
          ...before,
          { kind: "bsx", scope: "batch", batch_id: batch.id, turn: before.length },
        ]),
    },
    {
      id: "label",
      label: "Print its label…",
      icon: Tag,
      run: () => setOpened({ dialog: "label", batch }),
    },
    {
      id: "archive",
      label: batch.is_archived ? "Restore" : "Archive",
      icon: batch.is_archived ? (
        <ArchiveRestore aria-hidden="true" className="size-4" />
      ) : (
        <Archive aria-hidden="true" className="size-4" />
      ),
      run: () => toggleArchived(batch),
    },
    "separator",
    {
      id: "delete",
      label: "Delete",
      icon: Trash2,
      danger: true,
      disabledReason: batch.is_archived && "It is archived",
      run: () => setOpened({ dialog: "delete", batch }),
    },
  ];

  return (
    <>
      <PageHeader
        title="Batches"
        description="One purchase or one evening of sorting each: from the bag to the bin to the shop."
        actions={
          <>
            <Button icon={FileUp} onClick={() => setOpened({ dialog: "import" })}>
              Import BSX
            </Button>
            <Button
              variant="primary"
              icon={Plus}
              title="Key N"
              aria-keyshortcuts="N"
              onClick={() => setOpened({ dialog: "new" })}
            >
              New batch
            </Button>
          </>
        }
      />
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
              <ChartToggle on={drawn} onToggle={() => setDrawn(!drawn)} />
            </>
          }
          rowActions={actionsOf}
          onOpen={open}
          onEdit={(row, changes, call) => edit.mutateAsync({ row, changes, call })}
          rowName={({ name }) => name}
          empty={
            <NoBatches
              showArchived={showArchived}
              onNew={() => setOpened({ dialog: "new" })}
              onImport={() => setOpened({ dialog: "import" })}
            />
          }
        />
      </Work>
      {opened?.dialog === "new" && <BatchForm onClose={close} onSaved={open} onTakenBack={leave} />}
      {opened?.dialog === "import" && (
        <ImportBatchDialog refusedKey={opened.refused} onClose={close} />
      )}
      {opened?.dialog === "edit" && <BatchForm batch={opened.batch} onClose={close} />}
      {opened?.dialog === "duplicate" && (
        <BatchForm like={opened.batch} onClose={close} onSaved={open} onTakenBack={leave} />
      )}
      {opened?.dialog === "merge" && (
        <ActDialog
          kind="merge"
          batch={opened.batch}
          act={{
            batchId: opened.batch.id,
            items: "all",
            count: opened.batch.batch_item_lot_count,
            onClose: close,
            onDone: close,
          }}
        />
      )}
      {exported.map((asked) => (
        <ExportRun key={asked.turn} asked={asked} openRow={openItem} />
      ))}
      {opened?.dialog === "label" && <LabelDialog batch={opened.batch} onClose={close} />}
      {opened?.dialog === "delete" && <DeleteBatch batch={opened.batch} onClose={close} />}
    </>
  );
}

function ChartToggle({ on, onToggle }: { on: boolean; onToggle: () => void }) {
  return (
    <Button
      variant="ghost"
      className={on ? "bg-accent-tint" : undefined}
      icon={ChartScatter}
      aria-pressed={on}
      onClick={onToggle}
    >
      Value over cost
    </Button>
  );
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
          <Button icon={FileUp} onClick={props.onImport}>
            Import BSX
          </Button>
          <Button variant="primary" icon={Plus} onClick={props.onNew}>
            New batch
          </Button>
        </>
      }
    >
      {archived > 0
        ? "Each of them can be restored, or a new one begun."
        : "Begin one, or make one of a BSX file."}
    </EmptyState>
  );
}
