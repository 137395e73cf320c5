import { useQuery } from "@tanstack/react-query";
import {
  Archive,
  ArchiveRestore,
  ArrowLeft,
  Boxes,
  ChartColumn,
  Copy,
  Ellipsis,
  FileUp,
  Footprints,
  History,
  MapPin,
  PackageCheck,
  PackageX,
  Pencil,
  ScanLine,
  Store,
  Tag,
  Trash2,
} from "lucide-react";
import { useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { catalogQueries } from "@/features/catalog/public";
import { ExportButton } from "@/features/exports/public";
import { ListWithStow, StoreSync } from "@/features/marketplace/public";
import { problemText } from "@/shared/lib/problem";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { DataTable } from "@/shared/table/DataTable";
import { useTableState } from "@/shared/table/tableState";
import { Button, ButtonLink, IconButton } from "@/shared/ui/Button";
import { PageHeader } from "@/shared/ui/Card";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Menu, type MenuEntry } from "@/shared/ui/Menu";
import { EmptyState, ErrorState, Loading, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import type { ActKind } from "./acts/ActDialog";
import { actEntries } from "./acts/entries";
import { BatchHead } from "./BatchHead";
import { BulkBar } from "./BulkBar";
import { StatusBadge } from "./columns";
import { columnsWith, ItemActions, itemColumns } from "./itemColumns";
import type { Batch, BatchItem, FailedItem } from "./model";
import { useArchiveBatch, useEditItem, useFollowEdits, useSaveItems } from "./mutations";
import { type ItemChoice, resultWords } from "./operations";
import {
  ActDialog,
  BatchCharts,
  BatchForm,
  DeleteBatch,
  EditItem,
  FailedItemsDialog,
  ImportBatchDialog,
  LabelDialog,
  ListDialog,
  ListingDialog,
  LocationDialog,
  OperationsLog,
  openItem,
  RemoveDialog,
  StowDialog,
} from "./parts";
import { batchQueries, itemRows } from "./queries";
import { RunningBadges } from "./RunningBadges";
import { draftOf, itemName, whyNotList } from "./rules";
import { useFollowWork } from "./useFollowWork";
import { useMarkListed } from "./useMarkListed";
import { useWork, Work } from "./work";

const Walk = lazyPart(() => import("./walk/Walk").then((m) => m.Walk));

/** One batch: how far it is, its items, and everything that is done with them. */
export function BatchDetail(props: { id: number; walking: boolean; onGone: () => void }) {
  const { id, walking, onGone } = props;
  const { data: batch, error, refetch } = useQuery(batchQueries.detail(id));
  const work = useWork();
  if (batch && walking) return <Walk batch={batch} />;
  return (
    <>
      <div className="-ml-2 pb-1">
        <ButtonLink
          to="/app/batches"
          variant="ghost"
          size="sm"
          icon={<ArrowLeft aria-hidden="true" className="size-4" />}
        >
          All batches
        </ButtonLink>
      </div>
      {batch ? (
        <Work value={work}>
          <Opened batch={batch} onGone={onGone} />
        </Work>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </>
  );
}

/** Rows that an act is about: many from the selection, or the one whose menu was opened. */
type Chosen = { items: ItemChoice; count: number; known: readonly BatchItem[]; clear: () => void };

/** Dialogs about the batch as it is. */
type Plain = "edit" | "delete" | "log" | "label" | "charts" | "import";

type Dialog =
  | { kind: Plain }
  | { kind: "stow" | "remove" | "list"; chosen: Chosen }
  | { kind: "act"; act: ActKind; chosen: Chosen }
  | { kind: "editItem"; item: BatchItem }
  | { kind: "plan"; ids: readonly number[]; item?: BatchItem; clear: () => void }
  | { kind: "refused"; title: string; items: FailedItem[] };

const nothing = () => undefined;
const justThis = (item: BatchItem): Chosen => ({
  items: [item.id],
  count: 1,
  known: [item],
  clear: nothing,
});

function Opened({ batch, onGone }: { batch: Batch; onGone: () => void }) {
  const filter = useClientState("options.batchFilter");
  const rows = useMemo(() => itemRows(batch.id, filter), [batch.id, filter]);
  const table = useTableState("batchItems", { columns: itemColumns });
  const { data: colors } = useQuery(catalogQueries.colors());
  const columns = useMemo(() => columnsWith(colors ?? []), [colors]);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const listing = useListingParam();
  useFollowWork(batch);
  const edit = useEditItem();
  const followEdits = useFollowEdits();
  const saveItems = useSaveItems(batch.id);
  const archive = useArchiveBatch();
  const readOnly = batch.is_archived;
  const historyKey = `batchItems:${batch.id}`;
  const close = () => setDialog(null);
  const markListed = useMarkListed(batch.id, (refused) =>
    setDialog({
      kind: "refused",
      title: resultWords("markListed", 0, refused.length),
      items: refused,
    }),
  );

  const setFilter = (next: typeof filter) => {
    clientStore.set("options.batchFilter", next);
    if (table.pageIndex > 0) table.setPageIndex(0);
  };
  /** New items go with an undo; what is stowed is asked about first. */
  const remove = async (chosen: Chosen) => {
    const isNew = chosen.known.length === chosen.count && chosen.known.every((i) => !i.is_stowed);
    if (!isNew) {
      setDialog({ kind: "remove", chosen });
      return;
    }
    const { rowEditor } = await import("@/shared/table/editing/rowEditor");
    const editor = await rowEditor<BatchItem>(historyKey);
    await editor.deleteRows(chosen.known);
    chosen.clear();
  };
  /** Another row with all that this one has: the same part in another colour, condition, bin. */
  const duplicate = async (item: BatchItem) => {
    try {
      const { rowEditor } = await import("@/shared/table/editing/rowEditor");
      const editor = await rowEditor<BatchItem>(historyKey);
      const made = await editor.createRows([draftOf(item)]);
      if (made.length === 0) toast.error("It was not duplicated: the history says why.");
      followEdits();
    } catch (error) {
      toast.error(problemText(error));
    }
  };
  const cellActions = useMemo(
    () => ({
      chooseLocation: (item: BatchItem) =>
        setDialog({ kind: "plan", ids: [item.id], item, clear: nothing }),
    }),
    [],
  );

  const rowActions = (item: BatchItem): MenuEntry[] => [
    {
      id: "edit",
      label: "Edit…",
      icon: <Pencil aria-hidden="true" className="size-4" />,
      run: () => setDialog({ kind: "editItem", item }),
    },
    {
      id: "duplicate",
      label: "Duplicate",
      icon: <Copy aria-hidden="true" className="size-4" />,
      run: () => void duplicate(item),
    },
    {
      id: "stow",
      label: "Stow…",
      icon: <Boxes aria-hidden="true" className="size-4" />,
      disabledReason: item.is_stowed && "It is stowed already",
      run: () => setDialog({ kind: "stow", chosen: justThis(item) }),
    },
    {
      id: "plan",
      label: "Plan its location…",
      icon: <MapPin aria-hidden="true" className="size-4" />,
      disabledReason: item.is_stowed && "It is stowed already: move it in the inventory",
      run: () => cellActions.chooseLocation(item),
    },
    {
      id: "list",
      label: "List…",
      icon: <Store aria-hidden="true" className="size-4" />,
      disabledReason: whyNotList([item]),
      run: () => setDialog({ kind: "list", chosen: justThis(item) }),
    },
    item.is_listed
      ? {
          id: "unlisted",
          label: "Take the listed mark off",
          icon: <PackageX aria-hidden="true" className="size-4" />,
          run: () => markListed.run([item.id], nothing, false),
        }
      : {
          id: "listed",
          label: "Mark as listed",
          icon: <PackageCheck aria-hidden="true" className="size-4" />,
          disabledReason: !item.is_stowed && "Stow it first",
          run: () => markListed.run([item.id], nothing),
        },
    "separator",
    {
      id: "remove",
      label: item.is_stowed ? "Take out of stock…" : "Remove",
      icon: <Trash2 aria-hidden="true" className="size-4" />,
      danger: true,
      run: () => void remove(justThis(item)),
    },
  ];

  const { new_lots: newLots, stowed_lots: stowedLots } = batch.stats;
  const closed = readOnly && "Restore the batch first";
  const everything: Chosen = {
    items: "all",
    count: batch.batch_item_lot_count,
    known: [],
    clear: nothing,
  };
  return (
    <>
      <PageHeader
        title={
          <span className="inline-flex max-w-full flex-wrap items-center gap-2">
            <span className="min-w-0 truncate">{batch.name}</span>
            <StatusBadge batch={batch} />
            <RunningBadges batch={batch} />
            <ListWithStow hideWhenOff={readOnly} />
          </span>
        }
        description={batch.description}
        actions={
          <>
            {/* First of the row: further right the bar's open dropdowns would lie over it. */}
            <ExportButton
              label="Export items"
              scope={{ scope: "batch", batch_id: batch.id }}
              openRow={openItem}
              disabledReason={batch.batch_item_lot_count === 0 && "The batch is empty"}
            />
            <Button
              icon={<Boxes aria-hidden="true" className="size-4" />}
              disabledReason={closed || (newLots === 0 && "There are no new items to stow")}
              onClick={() =>
                setDialog({
                  kind: "stow",
                  chosen: { items: "all", count: newLots, known: [], clear: nothing },
                })
              }
            >
              Stow
            </Button>
            {newLots > 0 && !readOnly && (
              <ButtonLink
                to={`/app/batches?batch=${batch.id}&walk=1`}
                icon={<Footprints aria-hidden="true" className="size-4" />}
              >
                Walk
              </ButtonLink>
            )}
            <Button
              icon={<Store aria-hidden="true" className="size-4" />}
              disabledReason={
                closed ||
                (batch.isListing && "It is being listed") ||
                (stowedLots === 0 && "Nothing is stowed and not listed")
              }
              onClick={() =>
                setDialog({
                  kind: "list",
                  chosen: { items: "all", count: stowedLots, known: [], clear: nothing },
                })
              }
            >
              List
            </Button>
            <Button
              icon={<PackageCheck aria-hidden="true" className="size-4" />}
              loading={markListed.running}
              disabledReason={closed || (stowedLots === 0 && "Nothing is stowed and not listed")}
              onClick={() => markListed.run("all", nothing)}
            >
              Mark as listed
            </Button>
            <StoreSync
              batchId={batch.id}
              disabledReason={
                closed ||
                (stowedLots + batch.stats.listed_lots === 0 && "Nothing of it is in stock yet")
              }
            />
            <Button
              icon={<Trash2 aria-hidden="true" className="size-4" />}
              disabledReason={closed || (batch.stats.total_lots === 0 && "The batch is empty")}
              onClick={() => setDialog({ kind: "remove", chosen: everything })}
            >
              Remove
            </Button>
            {!readOnly && (
              <ButtonLink
                to={`/app/stow-inventory?batch=${batch.id}`}
                icon={<ScanLine aria-hidden="true" className="size-4" />}
                variant="primary"
              >
                Add items
              </ButtonLink>
            )}
            <MoreMenu
              batch={batch}
              onDialog={(kind) => setDialog({ kind })}
              onAct={(act) => setDialog({ kind: "act", act, chosen: everything })}
            />
          </>
        }
      />
      {readOnly && (
        <div className="mb-4">
          <Notice
            tone="warning"
            title="Archived: it can be read, not changed"
            actions={
              <Button
                size="sm"
                icon={<ArchiveRestore aria-hidden="true" className="size-4" />}
                loading={archive.isPending}
                onClick={() =>
                  archive.mutate(
                    { id: batch.id, archived: false },
                    { onError: (error) => toast.error(problemText(error)) },
                  )
                }
              >
                Restore
              </Button>
            }
          />
        </div>
      )}
      <BatchHead batch={batch} filter={filter} onFilter={setFilter} />
      <ItemActions value={readOnly ? null : cellActions}>
        <DataTable
          label={`Items of ${batch.name}`}
          table={table}
          columns={columns}
          source={rows}
          searchLabel="Search items"
          rowActions={readOnly ? undefined : rowActions}
          onEdit={
            readOnly
              ? undefined
              : async (item, changes, call) => {
                  const saved = await edit.mutateAsync({ item, changes, call });
                  if ("color_id" in changes) void tellOfColor(saved);
                  return saved;
                }
          }
          onBulk={readOnly ? undefined : saveItems}
          rowName={itemName}
          historyKey={historyKey}
          draftOf={draftOf}
          onEdited={followEdits}
          offerAllMatching
          bulk={
            readOnly
              ? undefined
              : (selection) => (
                  <BulkBar
                    batchId={batch.id}
                    filter={filter}
                    selection={selection}
                    onStow={(chosen) => setDialog({ kind: "stow", chosen })}
                    onRemove={(chosen) => void remove(chosen)}
                    onList={(chosen) => setDialog({ kind: "list", chosen })}
                    onPlan={(ids) => setDialog({ kind: "plan", ids, clear: selection.clear })}
                    onMarkListed={(ids, listed) => markListed.run(ids, selection.clear, listed)}
                    onAct={(act, chosen) => setDialog({ kind: "act", act, chosen })}
                    marking={markListed.running}
                  />
                )
          }
          empty={
            <NoItems
              batch={batch}
              filtered={filter !== "all"}
              onImport={() => setDialog({ kind: "import" })}
            />
          }
        />
      </ItemActions>
      <Dialogs
        dialog={dialog}
        batch={batch}
        onClose={close}
        onGone={onGone}
        onDialog={setDialog}
        onListing={listing.show}
      />
      {listing.jobId && (
        <ListingDialog
          key={listing.jobId}
          batchId={batch.id}
          jobId={listing.jobId}
          onClose={() => listing.show(null)}
          onJob={listing.show}
        />
      )}
    </>
  );
}

async function tellOfColor(item: BatchItem): Promise<void> {
  const { warnOfColor } = await import("./warnOfColor");
  await warnOfColor(item).catch(nothing); // an aid: nothing hangs on it
}

/** The listing at `?listing=…`, whose progress or result is shown. */
function useListingParam() {
  const [params, setParams] = useSearchParams();
  const show = (jobId: string | null) =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      if (jobId === null) next.delete("listing");
      else next.set("listing", jobId);
      return next;
    });
  return { jobId: params.get("listing"), show };
}

function Dialogs(props: {
  dialog: Dialog | null;
  batch: Batch;
  onClose: () => void;
  onGone: () => void;
  onDialog: (dialog: Dialog | null) => void;
  onListing: (jobId: string) => void;
}) {
  const { dialog, batch, onClose, onGone, onDialog, onListing } = props;
  if (dialog === null) return null;
  switch (dialog.kind) {
    case "edit":
      return <BatchForm batch={batch} onClose={onClose} />;
    case "delete":
      return <DeleteBatch batch={batch} onClose={onClose} onDeleted={onGone} />;
    case "editItem":
      return <EditItem item={dialog.item} onClose={onClose} />;
    case "label":
      return <LabelDialog batch={batch} onClose={onClose} />;
    case "import":
      return <ImportBatchDialog into={batch} onClose={onClose} />;
    case "charts":
      return <BatchCharts batch={batch} onClose={onClose} />;
    case "log":
      return <OperationsLog batchId={batch.id} onClose={onClose} />;
    case "refused":
      return <FailedItemsDialog title={dialog.title} items={dialog.items} onClose={onClose} />;
    case "plan": {
      const { item, ids, clear } = dialog;
      const id = item?.user_inventory_item_location_id;
      const name = item?.user_inventory_item_location_name;
      return (
        <LocationDialog
          batchId={batch.id}
          ids={ids}
          present={id && name ? { id, name } : null}
          onClose={onClose}
          onDone={() => {
            clear();
            onClose();
          }}
        />
      );
    }
    case "act": {
      const { items, count, clear } = dialog.chosen;
      const done = () => {
        clear();
        onClose();
      };
      const act = { batchId: batch.id, items, count, onClose, onDone: done };
      return <ActDialog kind={dialog.act} batch={batch} act={act} />;
    }
    case "stow":
      return (
        <StowDialog
          batchId={batch.id}
          items={dialog.chosen.items}
          count={dialog.chosen.count}
          onClose={onClose}
          onDone={() => {
            dialog.chosen.clear();
            onClose();
          }}
        />
      );
    case "list":
      return (
        <ListDialog
          batchId={batch.id}
          items={dialog.chosen.items}
          count={dialog.chosen.count}
          onClose={onClose}
          onStarted={(jobId) => {
            dialog.chosen.clear();
            onClose();
            onListing(jobId);
          }}
        />
      );
    case "remove":
      return (
        <RemoveDialog
          batchId={batch.id}
          items={dialog.chosen.items}
          count={dialog.chosen.count}
          known={dialog.chosen.known}
          onClose={onClose}
          onDone={(refused) => {
            dialog.chosen.clear();
            onDialog(
              refused.length === 0
                ? null
                : {
                    kind: "refused",
                    title: resultWords(
                      "remove",
                      dialog.chosen.count - refused.length,
                      refused.length,
                    ),
                    items: refused,
                  },
            );
          }}
        />
      );
  }
}

function MoreMenu(props: {
  batch: Batch;
  onDialog: (kind: Plain) => void;
  onAct: (act: ActKind) => void;
}) {
  const { batch, onDialog, onAct } = props;
  const { stats } = batch;
  const closed = batch.is_archived && "It is archived";
  const empty = stats.total_lots === 0 && "The batch is empty";
  const archive = useArchiveBatch();
  const navigate = useNavigate();
  const toggle = () =>
    archive.mutate(
      { id: batch.id, archived: !batch.is_archived },
      {
        onSuccess: () =>
          toast.success(`${batch.name} ${batch.is_archived ? "restored" : "archived"}`),
        onError: (error) => toast.error(problemText(error)),
      },
    );
  return (
    <Menu
      trigger={
        <IconButton
          label="More"
          variant="secondary"
          icon={<Ellipsis aria-hidden="true" className="size-4" />}
        />
      }
      entries={[
        {
          id: "edit",
          label: "Rename and edit",
          icon: <Pencil aria-hidden="true" className="size-4" />,
          disabledReason: batch.is_archived && "It is archived",
          run: () => onDialog("edit"),
        },
        {
          id: "import",
          label: "Import BSX into it…",
          icon: <FileUp aria-hidden="true" className="size-4" />,
          disabledReason: closed,
          run: () => onDialog("import"),
        },
        {
          id: "charts",
          label: "Charts",
          icon: <ChartColumn aria-hidden="true" className="size-4" />,
          disabledReason: empty,
          run: () => onDialog("charts"),
        },
        {
          id: "label",
          label: "Print its label…",
          icon: <Tag aria-hidden="true" className="size-4" />,
          run: () => onDialog("label"),
        },
        {
          id: "log",
          label: "Operations",
          icon: <History aria-hidden="true" className="size-4" />,
          run: () => onDialog("log"),
        },
        {
          id: "store",
          label: "All listings and syncs",
          icon: <Store aria-hidden="true" className="size-4" />,
          run: () => navigate("/app/store"),
        },
        "separator",
        ...actEntries(closed || empty, stats.new_lots === 0 && "Nothing in it is new").map(
          ({ act, ...entry }) => ({ ...entry, id: act, run: () => onAct(act) }),
        ),
        {
          id: "merge",
          label: "Merge into another batch…",
          disabledReason: closed,
          run: () => onAct("merge"),
        },
        "separator",
        {
          id: "archive",
          label: batch.is_archived ? "Restore" : "Archive",
          icon: batch.is_archived ? (
            <ArchiveRestore aria-hidden="true" className="size-4" />
          ) : (
            <Archive aria-hidden="true" className="size-4" />
          ),
          run: toggle,
        },
        {
          id: "delete",
          label: "Delete",
          danger: true,
          icon: <Trash2 aria-hidden="true" className="size-4" />,
          disabledReason: batch.is_archived && "It is archived",
          run: () => onDialog("delete"),
        },
      ]}
    />
  );
}

function NoItems(props: { batch: Batch; filtered: boolean; onImport: () => void }) {
  const { batch, filtered } = props;
  if (filtered && batch.batch_item_lot_count > 0) {
    return (
      <EmptyState
        title="No items in this state"
        actions={
          <Button onClick={() => clientStore.set("options.batchFilter", "all")}>Show all</Button>
        }
      />
    );
  }
  if (batch.is_archived) return <EmptyState title="The batch is empty" />;
  return (
    <EmptyState
      icon={<Boxes aria-hidden="true" className="size-5" />}
      title="Nothing yet"
      actions={
        <>
          <Button onClick={props.onImport}>Import BSX</Button>
          <ButtonLink to="/app/catalog">Add from the catalogue</ButtonLink>
          <ButtonLink to={`/app/stow-inventory?batch=${batch.id}`} variant="primary">
            Add items
          </ButtonLink>
        </>
      }
    >
      Identify parts one by one, add them from the catalogue, or import a BSX file.
    </EmptyState>
  );
}
