import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { catalogQueries } from "@/features/catalog/public";
import { ListWithStow, PriceRunNotice, useHasStore } from "@/features/marketplace/public";
import { profileQueries } from "@/features/profile/public";
import { counted } from "@/shared/lib/format";
import { useAskedFor } from "@/shared/lib/useAskedFor";
import { DataTable } from "@/shared/table/DataTable";
import { useTableState } from "@/shared/table/tableState";
import { BackLink } from "@/shared/ui/BackLink";
import { PageHeader } from "@/shared/ui/Card";
import { lazyPart } from "@/shared/ui/lazyPart";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { ErrorState, Loading } from "@/shared/ui/states";
import { BatchHead } from "./BatchHead";
import { BulkBar } from "./BulkBar";
import { StatusBadge } from "./columns";
import { ArchivedNotice } from "./detail/ArchivedNotice";
import { BatchDialogs } from "./detail/BatchDialogs";
import { BatchToolbar } from "./detail/BatchToolbar";
import { type Dialog, wholeBatch } from "./detail/dialog";
import { NoItems } from "./detail/NoItems";
import { useItemActs } from "./detail/useItemActs";
import { useListingParam } from "./detail/useListingParam";
import { useOperationJob } from "./detail/useOperationJob";
import { useStateFilter } from "./detail/useStateFilter";
import { columnsWith, ItemActions, itemColumns } from "./itemColumns";
import type { Batch, BatchItem } from "./model";
import { useEditItem, useFollowEdits, useSaveItems } from "./mutations";
import { historyKeyOf, operationEnd, resultWords } from "./operations";
import { ListingDialog } from "./parts";
import { batchQueries, itemRows } from "./queries";
import { RunningBadges } from "./RunningBadges";
import { itemName } from "./rules";
import { useFollowWork } from "./useFollowWork";
import { useMarkListed } from "./useMarkListed";
import { useTellDone } from "./useTellDone";
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
      <BackLink to="/app/batches">All batches</BackLink>
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

function Opened({ batch, onGone }: { batch: Batch; onGone: () => void }) {
  const [filter, chooseFilter] = useStateFilter(batch.id);
  const rows = useMemo(() => itemRows(batch.id, filter), [batch.id, filter]);
  const currency = useSideQuery(profileQueries.preferences(), "your currency")?.currency;
  const table = useTableState("batchItems", { columns: itemColumns });
  const colors = useSideQuery(catalogQueries.colors(), "the colours");
  const columns = useMemo(() => columnsWith(colors ?? []), [colors]);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  useAskedFor("import", (refused) => setDialog({ kind: "import", refused }));
  const hasStore = useHasStore();
  const stowed = batch.stats.stowed_lots;
  // Waits until it is known whether there is a store to list on.
  useAskedFor(hasStore === null ? "" : "list", () => {
    if (hasStore && stowed > 0) setDialog({ kind: "list", chosen: wholeBatch(stowed) });
  });
  const listing = useListingParam();
  useFollowWork(batch);
  const edit = useEditItem();
  const followEdits = useFollowEdits();
  const saveItems = useSaveItems(batch.id);
  const readOnly = batch.is_archived;
  const historyKey = historyKeyOf(batch);
  const close = () => setDialog(null);
  const tellDone = useTellDone(batch.id);
  const followWork = useOperationJob((job) => {
    const end = operationEnd(job);
    if (!end) return;
    const { kind, done, refused, count, actIds } = end;
    const words = resultWords(kind, done, count);
    if (count > 0 && kind === "stow") {
      setDialog({ kind, chosen: wholeBatch(count), left: { done, refused, count } });
    } else if (count > 0)
      setDialog({ kind: "refused", title: words, items: refused, total: count });
    if (actIds.length > 0) void tellDone({ kind, words, count: done, actIds });
  });
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

  const setFilter = (next: typeof filter) => {
    chooseFilter(next);
    if (table.pageIndex > 0) table.setPageIndex(0);
  };
  const { remove, cellActions, rowActions } = useItemActs({
    historyKey,
    markListed,
    onDialog: setDialog,
  });
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
          <BatchToolbar
            batch={batch}
            marking={markListed.running}
            onMarkListed={() => markListed.run("all", () => undefined)}
            onDialog={setDialog}
          />
        }
      />
      {readOnly && <ArchivedNotice batch={batch} />}
      <PriceRunNotice />
      <BatchHead batch={batch} filter={filter} onFilter={setFilter} />
      <ItemActions value={readOnly ? null : cellActions}>
        <DataTable
          label={`Items of ${batch.name}`}
          table={table}
          currency={currency}
          columns={columns}
          source={rows}
          searchLabel="Search items"
          rowActions={readOnly ? undefined : rowActions}
          onEdit={
            readOnly
              ? undefined
              : async (row, changes, call) => {
                  const saved = await edit.mutateAsync({ row, changes, call });
                  if ("color_id" in changes) void tellOfColor(saved);
                  return saved;
                }
          }
          onBulk={readOnly ? undefined : saveItems}
          rowName={itemName}
          historyKey={historyKey}
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
              onShowAll={() => setFilter("all")}
              onAdd={() => setDialog({ kind: "add" })}
              onImport={() => setDialog({ kind: "import" })}
            />
          }
        />
      </ItemActions>
      <BatchDialogs
        dialog={dialog}
        batch={batch}
        onClose={close}
        onGone={onGone}
        onDialog={setDialog}
        onListing={listing.show}
        onJob={followWork}
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
  await warnOfColor(item).catch(() => undefined); // an aid: nothing hangs on it
}
