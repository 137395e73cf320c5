import { useQueryClient } from "@tanstack/react-query";
import { Combine, FileClock, FileUp, History } from "lucide-react";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { StoreSyncLater } from "@/features/marketplace/public";
import { bulkRows } from "@/shared/api/bulk";
import { idParam } from "@/shared/lib/idParam";
import { useClientState } from "@/shared/store/clientStore";
import { DataTable } from "@/shared/table/DataTable";
import { useTableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { Menu } from "@/shared/ui/Menu";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { inventoryColumns } from "./columns";
import { DropZone } from "./DropZone";
import { Filters } from "./Filters";
import type { ChosenRows, InventoryItem } from "./model";
import { useEditInventoryItem, useRefreshStock, useRemoveRow } from "./mutations";
import {
  ActsDialog,
  BulkBar,
  ConsolidateDialog,
  ExportStock,
  HistoryDrawer,
  LotForm,
  LotTable,
  MoveItemDialog,
  MoveRowsDialog,
  NoStock,
  PlaceTable,
  SplitDialog,
  StartImport,
  StocktakeDialog,
  SyncDialog,
  SyncHistory,
  UndecidedImport,
} from "./parts";
import { inventoryQueries, inventoryRows, type Shown } from "./queries";
import { rowActions } from "./rowActions";

type Opened =
  | { view: "import"; file?: File }
  | { view: "imports" }
  | { view: "move" | "edit" | "split"; item: InventoryItem }
  | { view: "moveRows"; rows: ChosenRows; count: number; clear: () => void }
  | { view: "consolidate"; rows: ChosenRows; clear?: () => void }
  | { view: "stocktake"; location: { id: number; name: string } };

type View = "flat" | "lots" | "places";
const VIEWS = [
  { value: "flat", label: "Rows" },
  { value: "lots", label: "By lot" },
  { value: "places", label: "By location" },
] as const;
/** What narrows the stock in the address beside the columns' own filters. */
const NARROWING = ["location", "lot", "item_type", "unpriced", "quantity_max", "is_known"];

const saveMany = bulkRows<InventoryItem>("inventoryItems");
const nameOf = (row: InventoryItem) => `${row.item_number} ${row.color_name}`.trim();
const draftOf = (row: InventoryItem) => ({
  lot_id: row.lot_id,
  quantity: row.quantity,
  location_id: row.location_id,
  condition: row.condition,
  sub_condition: row.sub_condition,
  price: row.price,
  cost: row.cost,
  comments: row.comments,
  remarks: row.remarks,
  stockroom: row.stockroom,
});

type ViewProps = {
  shown: Shown;
  /** The choice of the view, for the toolbar. */
  choice: ReactNode;
  empty: ReactNode;
  open: (opened: Opened) => void;
  setParams: (values: Record<string, string | null>) => void;
};

/**
 * The stock: row by row, by lot, by location. `?sync=5` opens an import, `?item=7` the history of
 * a row, `?count=3` the stocktake of a location, `?acts=1` what can be taken back.
 */
export function InventoryPage() {
  const [params, setAddress] = useSearchParams();
  const syncId = idParam(params, "sync");
  const itemId = idParam(params, "item");
  const asked = params.get("view");
  const view: View = asked === "lots" || asked === "places" ? asked : "flat";
  const zeroQuantity = useClientState("options.showZeroQuantity");
  const unconsolidated = useClientState("options.showUnconsolidated");
  const shown = useMemo(() => ({ zeroQuantity, unconsolidated }), [zeroQuantity, unconsolidated]);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = useCallback(() => setOpened(null), []);

  const setParams = (values: Record<string, string | null>) =>
    setAddress((current) => {
      const next = new URLSearchParams(current);
      for (const [name, value] of Object.entries(values)) {
        if (value === null) next.delete(name);
        else next.set(name, value);
      }
      return next;
    });

  const shownView: ViewProps = {
    shown,
    open: setOpened,
    setParams,
    choice: (
      <SegmentedControl
        label="View"
        value={view}
        options={VIEWS}
        onChange={(next) =>
          // Each view has orders of its own; what is narrowed stays.
          setParams({ view: next === "flat" ? null : next, ordering: null, page: null })
        }
      />
    ),
    empty: (
      <NoStock unconsolidated={unconsolidated} onImport={() => setOpened({ view: "import" })} />
    ),
  };

  return (
    <Page wide>
      <PageHeader
        title="Inventory"
        description="Everything in stock, where it lies and what it is worth."
        actions={
          <>
            {/* First: it comes later than the others, and must not push them under a click. */}
            <StoreSyncLater label="Sync with store" />
            <Menu
              align="end"
              trigger={
                <Button icon={<History aria-hidden="true" className="size-4" />}>History</Button>
              }
              entries={[
                {
                  id: "imports",
                  label: "Imports…",
                  icon: <FileClock aria-hidden="true" className="size-4" />,
                  run: () => setOpened({ view: "imports" }),
                },
                {
                  id: "acts",
                  label: "Moves, splits, counts…",
                  icon: <History aria-hidden="true" className="size-4" />,
                  run: () => setParams({ acts: "1" }),
                },
              ]}
            />
            <ExportStock />
            <Button
              variant="primary"
              icon={<FileUp aria-hidden="true" className="size-4" />}
              onClick={() => setOpened({ view: "import" })}
            >
              Import BSX
            </Button>
          </>
        }
      />
      {syncId === null && <UndecidedImport onShow={(id) => setParams({ sync: String(id) })} />}
      <DropZone onFile={(file) => setOpened({ view: "import", file })}>
        {view === "lots" ? (
          <Lots {...shownView} />
        ) : view === "places" ? (
          <Places {...shownView} />
        ) : (
          <Rows {...shownView} />
        )}
      </DropZone>
      {opened && (
        <Dialogs opened={opened} onClose={close} onSync={(id) => setParams({ sync: String(id) })} />
      )}
      {syncId !== null && (
        <SyncDialog key={syncId} id={syncId} onClose={() => setParams({ sync: null })} />
      )}
      {itemId !== null && syncId === null && (
        <HistoryDrawer id={itemId} onClose={() => setParams({ item: null })} />
      )}
      {params.get("acts") === "1" && <ActsDialog onClose={() => setParams({ acts: null })} />}
    </Page>
  );
}

function Rows({ shown, choice, empty, open, setParams }: ViewProps) {
  const table = useTableState("inventory", {
    filters: NARROWING,
    columns: inventoryColumns,
    ordering: "item_number",
  });
  const source = useMemo(() => inventoryRows(shown), [shown]);
  const edit = useEditInventoryItem();
  const remove = useRemoveRow();
  const refresh = useRefreshStock();
  const navigate = useNavigate();
  const actionsOf = (item: InventoryItem) =>
    rowActions(item, {
      edit: () => open({ view: "edit", item }),
      move: () => open({ view: "move", item }),
      split: () => open({ view: "split", item }),
      consolidate: () =>
        open({
          view: "consolidate",
          rows: { filter: { lot: String(item.lot_id), condition: item.condition } },
        }),
      history: () => setParams({ item: String(item.id) }),
      location: () => void navigate(`/app/inventory-locations?location=${item.location_id}`),
      remove: () => void remove(item),
    });
  return (
    <DataTable
      label="Inventory"
      table={table}
      columns={inventoryColumns}
      source={source}
      searchLabel="Search the inventory"
      toolbar={
        <Filters table={table}>
          {choice}
          {shown.unconsolidated && (
            <Button
              size="sm"
              icon={<Combine aria-hidden="true" className="size-4" />}
              onClick={() =>
                open({ view: "consolidate", rows: { filter: { unconsolidated: "true" } } })
              }
            >
              Consolidate all…
            </Button>
          )}
        </Filters>
      }
      rowActions={actionsOf}
      onOpen={(item) => setParams({ item: String(item.id) })}
      onEdit={(item, changes, call) => edit.mutateAsync({ item, changes, call })}
      onBulk={saveMany}
      rowName={nameOf}
      draftOf={draftOf}
      onEdited={refresh}
      offerAllMatching
      bulk={(selection) => (
        <BulkBar
          selection={selection}
          shown={shown}
          onMove={(rows, count, clear) => open({ view: "moveRows", rows, count, clear })}
          onConsolidate={(rows, clear) => open({ view: "consolidate", rows, clear })}
        />
      )}
      empty={empty}
    />
  );
}

function Lots({ shown, choice, empty, open, setParams }: ViewProps) {
  const table = useTableState("inventoryLots", {
    filters: [...NARROWING, "condition"],
    ordering: "item_number",
  });
  return (
    <LotTable
      table={table}
      shown={shown}
      toolbar={<Filters table={table}>{choice}</Filters>}
      empty={empty}
      onRows={(lot) =>
        lot.lot_id !== null &&
        setParams({
          view: null,
          ordering: null,
          page: null,
          lot: String(lot.lot_id),
          condition: lot.condition,
        })
      }
      onConsolidate={(lot) =>
        open({
          view: "consolidate",
          rows: { filter: { lot: String(lot.lot_id), condition: lot.condition } },
        })
      }
    />
  );
}

function Places({ choice, empty, open, setParams }: ViewProps) {
  const table = useTableState("inventoryPlaces", { ordering: "name" });
  return (
    <PlaceTable
      table={table}
      toolbar={choice}
      empty={empty}
      onRows={(place) =>
        setParams({
          view: null,
          ordering: null,
          page: null,
          search: null,
          location: String(place.id),
        })
      }
      onCount={(place) => open({ view: "stocktake", location: place })}
    />
  );
}

function Dialogs(props: { opened: Opened; onClose: () => void; onSync: (id: number) => void }) {
  const { opened, onClose, onSync } = props;
  const edit = useEditInventoryItem();
  const client = useQueryClient();
  switch (opened.view) {
    case "edit":
      return (
        <LotForm
          title={opened.item.part_name || opened.item.item_number}
          lot={opened.item}
          onSave={async (changes) => {
            await edit.mutateAsync({ item: opened.item, changes });
            void client.invalidateQueries({ queryKey: inventoryQueries.lists() });
          }}
          onClose={onClose}
        />
      );
    case "move":
      return <MoveItemDialog item={opened.item} onClose={onClose} />;
    case "split":
      return <SplitDialog item={opened.item} onClose={onClose} />;
    case "moveRows":
      return (
        <MoveRowsDialog
          rows={opened.rows}
          count={opened.count}
          onMoved={opened.clear}
          onClose={onClose}
        />
      );
    case "consolidate":
      return <ConsolidateDialog rows={opened.rows} onDone={opened.clear} onClose={onClose} />;
    case "stocktake":
      return <StocktakeDialog location={opened.location} onClose={onClose} />;
    case "imports":
      return <SyncHistory onClose={onClose} />;
    case "import":
      return (
        <StartImport
          file={opened.file}
          onClose={onClose}
          onStarted={(id) => {
            onClose();
            onSync(id);
          }}
        />
      );
  }
}
