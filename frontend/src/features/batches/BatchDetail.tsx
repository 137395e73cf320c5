import { useQuery } from "@tanstack/react-query";
import { ArchiveRestore, Boxes, Group } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { catalogQueries } from "@/features/catalog/public";
import { isFinished, type Job, useJob } from "@/features/jobs/public";
import { ListWithStow, PriceRunNotice, useHasStore } from "@/features/marketplace/public";
import { useCurrency } from "@/features/profile/public";
import { counted } from "@/shared/lib/format";
import { isNamed } from "@/shared/lib/names";
import { paths, pathTo } from "@/shared/lib/paths";
import { keysOf } from "@/shared/lib/records";
import { CLOSING, useAddress } from "@/shared/lib/useAddress";
import { useAskedFor } from "@/shared/lib/useAskedFor";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { DataTable } from "@/shared/table/DataTable";
import { Groups } from "@/shared/table/Groups";
import { ShownSums } from "@/shared/table/ShownSums";
import { type TableState, useTableState } from "@/shared/table/tableState";
import type { Selection } from "@/shared/table/useSelection";
import { BackLink } from "@/shared/ui/BackLink";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { PageHeader } from "@/shared/ui/Card";
import { lazyPart } from "@/shared/ui/lazyPart";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Settled } from "@/shared/ui/Settled";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState, Loaded, Notice } from "@/shared/ui/states";
import { BatchHead } from "./BatchHead";
import { BulkBar } from "./BulkBar";
import { StatusBadge } from "./columns";
import { BatchDialogs } from "./detail/BatchDialogs";
import { BatchToolbar } from "./detail/BatchToolbar";
import { type Dialog, wholeBatch } from "./detail/dialog";
import { useArchive } from "./detail/useArchive";
import { useItemActs } from "./detail/useItemActs";
import { columnsWith, ItemActions, itemColumns } from "./itemColumns";
import { type Batch, type BatchItem, historyKeyOf, type StateFilter } from "./model";
import { saveItemOf, saveItemsOf, useFollowEdits } from "./mutations";
import { operationEnd, resultWords } from "./operations";
import { ListingDialog } from "./parts";
import {
  batchQueries,
  groupsOfItems,
  itemRows,
  itemsInState,
  statesOfItems,
  sumsOfItems,
} from "./queries";
import { RunningBadges } from "./RunningBadges";
import { itemName } from "./rules";
import { useFollowWork } from "./useFollowWork";
import { useMarkListed } from "./useMarkListed";
import { useWork, Work } from "./work";

const Walk = lazyPart(() => import("./walk/Walk").then((m) => m.Walk));

/** One batch: how far it is, its items, and everything that is done with them. */
export function BatchDetail(props: { id: number; walking: boolean; onGone: () => void }) {
  const { id, walking, onGone } = props;
  const query = useQuery(batchQueries.detail(id));
  const work = useWork();
  if (query.data && walking) return <Walk batch={query.data} />;
  return (
    <>
      <BackLink to={paths.batches}>All batches</BackLink>
      <Loaded query={query} keepsData>
        {(batch) => (
          <Work value={work}>
            <OpenBatch batch={batch} onGone={onGone} />
          </Work>
        )}
      </Loaded>
    </>
  );
}

function OpenBatch({ batch, onGone }: { batch: Batch; onGone: () => void }) {
  const [filter, chooseFilter] = useStateFilter(batch.id);
  const table = useTableState("batchItems", { columns: itemColumns });
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [address, change] = useAddress();
  const listing = address.get("listing");
  const showListing = (jobId: string) => change({ listing: jobId });
  useAskedDialogs(batch, setDialog);
  useFollowWork(batch);
  const followWork = useWorkEnd(setDialog);
  const markListed = useMarkListed({
    batchId: batch.id,
    onJob: followWork,
    onRefused: (refused) =>
      setDialog({
        kind: "refused",
        title: `Mark as listed: ${counted(refused.length, "lot")} refused`,
        items: refused,
      }),
  });
  const setFilter = (next: StateFilter) => {
    chooseFilter(next);
    if (table.pageIndex > 0) table.setPageIndex(0);
  };
  return (
    <>
      <PageHeader
        title={batch.name}
        beside={
          <>
            <StatusBadge batch={batch} />
            <RunningBadges batch={batch} />
            <ListWithStow hideWhenOff={batch.is_archived || batch.stats.new_lots === 0} />
          </>
        }
        description={batch.description}
        actions={
          <BatchToolbar
            batch={batch}
            marking={markListed.running}
            onMarkListed={() => markListed.run("all", () => undefined)}
            onDialog={setDialog}
          />
        }
      />
      {batch.is_archived && <ArchivedNotice batch={batch} />}
      <PriceRunNotice />
      <Settled>
        <BatchHead batch={batch} filter={filter} onFilter={setFilter} />
        <Items
          {...{ batch, table, filter, markListed }}
          onShowAll={() => setFilter("all")}
          onDialog={setDialog}
        />
      </Settled>
      <BatchDialogs
        dialog={dialog}
        batch={batch}
        onClose={() => setDialog(null)}
        onGone={onGone}
        onDialog={setDialog}
        onListing={showListing}
        onJob={followWork}
      />
      {listing && (
        <ListingDialog
          key={listing}
          batchId={batch.id}
          jobId={listing}
          onClose={() => change({ listing: null }, CLOSING)}
          onJob={showListing}
        />
      )}
    </>
  );
}

/** Dialogs that another page asks for in the address. */
function useAskedDialogs({ stats }: Batch, open: (dialog: Dialog) => void) {
  const hasStore = useHasStore();
  const stowed = stats.stowed_lots;
  useAskedFor("import", (refused) => open({ kind: "import", refused }));
  // Waits until it is known whether there is a store to list on.
  useAskedFor(hasStore === null ? "" : "list", () => {
    if (hasStore && stowed > 0) open({ kind: "list", chosen: wholeBatch(stowed) });
  });
}

/** Follows a job that does an operation: what it refused opens. Its toast has the undo. */
function useWorkEnd(open: (dialog: Dialog) => void) {
  return useOperationJob((job) => {
    const end = operationEnd(job);
    if (!end) return;
    const { kind, done, refused, count } = end;
    if (count === 0) return;
    if (kind === "stow") {
      open({ kind, chosen: wholeBatch(count), left: { jobId: job.id, done, refused, count } });
    } else {
      const title = resultWords(kind, done, count);
      open({ kind: "refused", title, items: refused, total: count });
    }
  });
}

const GROUPINGS = { state: "By state", location: "By bin", color: "By colour" };
const GROUPED_VIEWS = { rows: "Rows", ...GROUPINGS };

/** The items as a table, or in groups; of an archived batch they are only shown. */
function Items(props: {
  batch: Batch;
  table: TableState;
  filter: StateFilter;
  markListed: ReturnType<typeof useMarkListed>;
  onShowAll: () => void;
  onDialog: (dialog: Dialog) => void;
}) {
  const { batch, table, filter, markListed, onDialog } = props;
  const historyKey = historyKeyOf(batch);
  const rows = useMemo(() => itemRows(batch.id, filter), [batch.id, filter]);
  const colors = useSideQuery(catalogQueries.colors(), "the colours");
  const columns = useMemo(() => columnsWith(colors ?? []), [colors]);
  const currency = useCurrency();
  const followEdits = useFollowEdits();
  const { remove, cellActions, rowActions } = useItemActs({ historyKey, markListed, onDialog });
  const acts = batch.is_archived
    ? {}
    : {
        rowActions,
        onEdit: saveItemOf,
        onBulk: saveItemsOf,
        bulk: (selection: Selection<BatchItem>) => (
          <BulkBar
            {...{ batchId: batch.id, filter, selection, markListed, onDialog }}
            onRemove={(chosen) => void remove(chosen)}
          />
        ),
      };
  const [address, change] = useAddress();
  const asked = address.get("group");
  const group = (by: string | null) => change({ group: by, page: null });
  const empty = (
    <NoItems
      batch={batch}
      filtered={filter !== "all"}
      onShowAll={props.onShowAll}
      onAdd={() => onDialog({ kind: "add" })}
      onImport={() => onDialog({ kind: "import" })}
    />
  );
  if (isNamed(GROUPINGS, asked)) {
    return (
      <Groups
        key={asked}
        label={`Items of ${batch.name}`}
        by={asked}
        {...{ table, empty }}
        rows={asked === "state" ? (group) => itemsInState(batch.id, group) : rows}
        groups={
          asked === "state"
            ? statesOfItems(batch.id, filter)
            : groupsOfItems(batch.id, filter, asked)
        }
        searchLabel="Search items"
        switcher={
          <SegmentedControl<keyof typeof GROUPED_VIEWS>
            label="View"
            value={asked}
            options={GROUPED_VIEWS}
            onChange={(next) => group(next === "rows" ? null : next)}
          />
        }
        quantityOf={({ qty }) => qty}
        binOf={(item) => item.user_inventory_item_location_name}
        onOpen={(item) => onDialog({ kind: "editItem", item })}
      />
    );
  }
  return (
    <ItemActions value={batch.is_archived ? null : cellActions}>
      <DataTable
        label={`Items of ${batch.name}`}
        table={table}
        currency={currency}
        columns={columns}
        source={rows}
        searchLabel="Search items"
        rowName={itemName}
        historyKey={historyKey}
        onEdited={followEdits}
        onStored={(item, changes) => "color_id" in changes && void tellOfColor(item)}
        offerAllMatching
        sums={<ShownSums query={sumsOfItems(batch.id, filter, table.params)} />}
        more={keysOf(GROUPINGS).map((by) => ({
          id: by,
          label: `Group ${GROUPINGS[by].toLowerCase()}`,
          icon: Group,
          run: () => group(by),
        }))}
        {...{ ...acts, empty }}
      />
    </ItemActions>
  );
}

async function tellOfColor(item: BatchItem): Promise<void> {
  const { warnOfColor } = await import("./warnOfColor");
  await warnOfColor(item).catch(() => undefined); // an aid: nothing hangs on it
}

/** Says that the batch is only to be read, and brings it back. */
function ArchivedNotice({ batch }: { batch: Batch }) {
  const archive = useArchive();
  return (
    <div className="mb-4">
      <Notice
        tone="warning"
        title="Archived: it can be read, not changed"
        actions={
          <Button
            size="sm"
            icon={ArchiveRestore}
            loading={archive.isPending}
            onClick={() => archive.toggle(batch)}
          >
            Restore
          </Button>
        }
      />
    </div>
  );
}

/**
 * The filter of a batch's items by state. It belongs to the batch for which it was chosen, so that
 * it does not hide items of another one.
 */
function useStateFilter(batchId: number): [StateFilter, (next: StateFilter) => void] {
  const filter = useClientState("options.batchFilter");
  const chosenIn = useClientState("options.batchFilterOf");
  const choose = (next: StateFilter) => {
    clientStore.set("options.batchFilterOf", batchId);
    clientStore.set("options.batchFilter", next);
  };
  return [chosenIn === batchId ? filter : "all", choose];
}

/** The job at `?work=…` that does an operation: its end is shown here, also after a reload. */
function useOperationJob(onEnd: (job: Job) => void) {
  const [params, change] = useAddress();
  const id = params.get("work");
  const { data: job } = useJob(id);
  const show = (jobId: string | null) => change({ work: jobId }, { replace: true });
  const ended = job && job.id === id && isFinished(job) ? job : null;
  const latest = useRef({ show, onEnd });
  useEffect(() => {
    latest.current = { show, onEnd };
  });
  useEffect(() => {
    if (!ended) return;
    latest.current.show(null);
    latest.current.onEnd(ended);
  }, [ended]);
  return show;
}

/** Says why no row is shown, and what brings some. */
function NoItems(props: {
  batch: Batch;
  filtered: boolean;
  onShowAll: () => void;
  onAdd: () => void;
  onImport: () => void;
}) {
  const { batch, filtered } = props;
  if (filtered && batch.batch_item_lot_count > 0) {
    return (
      <EmptyState
        title="No items in this state"
        actions={<Button onClick={props.onShowAll}>Show all</Button>}
      />
    );
  }
  if (batch.is_archived) return <EmptyState title="The batch is empty" />;
  return (
    <EmptyState
      icon={Boxes}
      title="Nothing yet"
      actions={
        <>
          <Button onClick={props.onAdd}>Add by number</Button>
          <Button needs="write batches/importBsx" onClick={props.onImport}>
            Import a file
          </Button>
          <ButtonLink to={paths.catalog}>Add from the catalogue</ButtonLink>
          <ButtonLink to={pathTo("stow", { batch: batch.id })} variant="primary">
            Add items
          </ButtonLink>
        </>
      }
    >
      Identify parts one by one, add them from the catalogue, or import a BSX file.
    </EmptyState>
  );
}
