import { useQueryClient } from "@tanstack/react-query";
import { Combine, FileClock, FileUp, ListChecks } from "lucide-react";
import { useMemo, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { PriceRunNotice, StoreSyncLater } from "@/features/marketplace/public";
import { useCurrency } from "@/features/profile/public";
import { bulkRows } from "@/shared/api/bulk";
import { colorWords } from "@/shared/lib/colorNames";
import { idParam } from "@/shared/lib/idParam";
import { isNamed } from "@/shared/lib/names";
import { paths, pathTo } from "@/shared/lib/paths";
import { may } from "@/shared/lib/role";
import { CLOSING, useAddress } from "@/shared/lib/useAddress";
import { useAskedFor } from "@/shared/lib/useAskedFor";
import { useHandedFile } from "@/shared/lib/useHandedFile";
import { useClientState } from "@/shared/store/clientStore";
import { DataTable } from "@/shared/table/DataTable";
import { ShownSums } from "@/shared/table/ShownSums";
import { readTableSettings, writeTableSettings } from "@/shared/table/tableSettings";
import { useTableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { DropZone } from "@/shared/ui/DropZone";
import { LotTile } from "@/shared/ui/LotTile";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { MenuEntry } from "@/shared/ui/Menu";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Settled } from "@/shared/ui/Settled";
import { tellFailure } from "@/shared/ui/tellFailure";
import { inventoryColumns } from "./columns";
import { Filters } from "./Filters";
import type { InventoryItem } from "./model";
import { saveRowOf, useRefreshStock, useRemoveRow } from "./mutations";
import {
  ActsDialog,
  BulkBar,
  Dialogs,
  ExportStock,
  HistoryDrawer,
  NoStock,
  PutThem,
  StockListing,
  StocktakeDialog,
  SyncDialog,
  UndecidedImport,
} from "./parts";
import { inventoryQueries, inventoryRows, sumsOfRows } from "./queries";
import { rowActions } from "./rowActions";
import { Views } from "./Views";
import { NARROWING, type StockDialog, type StockViewProps } from "./view";
import { WALKS } from "./walk/kinds";

/** Beside the parts: those it draws would lead back here. */
const ForSaleColumn = lazyPart(() => import("./ForSaleColumn").then((m) => m.ForSaleColumn));
const OtherView = lazyPart(() => import("./OtherView").then((m) => m.OtherView));

const BinWalk = lazyPart(() => import("./walk/BinWalk").then((m) => m.BinWalk));

const VIEWS = {
  flat: "Rows",
  tiles: "Tiles",
  lots: "By lot",
  places: "By bin",
  colors: "By colour",
  charts: "Charts",
};
type View = keyof typeof VIEWS;

const saveMany = bulkRows("inventoryItems/bulk");
const nameOf = (row: InventoryItem) => `${row.item_number} ${colorWords(row.color_name)}`.trim();

/**
 * The stock: as rows or tiles, by lot, by location. `?sync=5` opens an import, `?item=7` the history of
 * a row, `?edit=7` and `?move=7` its dialogs, `?count=3` the stocktake of a location, `?acts=1` what can be taken back, `?listing=…`
 * what a listing of rows has come to. `?walk=count&bin=7` counts, moves or finds bin by bin.
 */
export function InventoryPage() {
  const [params] = useSearchParams();
  const kind = WALKS.find((one) => one === params.get("walk"));
  const bin = idParam(params, "bin");
  if (kind === undefined || bin === null) return <Stock />;
  return (
    <Page>
      <BinWalk kind={kind} id={bin} />
    </Page>
  );
}

function Stock() {
  const [params, change] = useAddress();
  const { view, choice } = useView(params, change);
  const zeroQuantity = useClientState("options.showZeroQuantity");
  const unconsolidated = useClientState("options.showUnconsolidated");
  const shown = useMemo(() => ({ zeroQuantity, unconsolidated }), [zeroQuantity, unconsolidated]);
  const [opened, setOpened] = useState<StockDialog | null>(null);
  const takeIn = (file?: File) => setOpened({ view: "import", file });
  useAskedDialogs(setOpened);
  const syncId = idParam(params, "sync");
  const empty = <NoStock unconsolidated={unconsolidated} onImport={() => takeIn()} />;
  const more: MenuEntry[] = [
    { heading: "What was done" },
    {
      id: "imports",
      needs: "read inventorySyncs",
      label: "Imports…",
      icon: FileClock,
      run: () => setOpened({ view: "imports" }),
    },
    {
      id: "acts",
      needs: "read inventoryActs",
      label: "Moves, splits, counts…",
      icon: ListChecks,
      run: () => change({ acts: 1 }),
    },
  ];
  const shownView: StockViewProps = {
    ...{ shown, choice, empty, more, open: setOpened, setParams: change },
  };

  return (
    <Page wide>
      <PageHeader
        title="Inventory"
        actions={
          <>
            {/* First: it comes later than the others, and must not push them under a click. */}
            {may("write marketplace/syncs") && <StoreSyncLater label="Sync with store" />}
            {may("write exports") && <ExportStock />}
            <Button
              needs="write inventoryItems/sync"
              variant="primary"
              icon={FileUp}
              onClick={() => takeIn()}
            >
              Import a file
            </Button>
          </>
        }
      />
      <PriceRunNotice />
      {syncId === null && may("read inventorySyncs") && (
        <UndecidedImport onShow={(sync) => change({ sync })} />
      )}
      <Settled>
        <DropZone onFile={takeIn}>
          {view === "flat" || view === "tiles" ? (
            <Rows {...shownView} tiles={view === "tiles"} />
          ) : (
            <OtherView view={view} {...shownView} />
          )}
        </DropZone>
      </Settled>
      {opened && (
        <Dialogs
          opened={opened}
          onClose={() => setOpened(null)}
          onSync={(sync) => change({ sync })}
          onListing={(listing) => change({ listing })}
        />
      )}
      <AddressedDialogs params={params} change={change} />
    </Page>
  );
}

type Address = ReturnType<typeof useAddress>;

/** The shown view, and the choice of it. Rows or tiles: this browser keeps which. */
function useView(...[params, change]: Address) {
  const asked = params.get("view");
  const [tiles, setTiles] = useState(() => readTableSettings("inventory").tiles);
  const view: View = isNamed(VIEWS, asked) ? asked : tiles ? "tiles" : "flat";
  const isList = (one: View) => one === "flat" || one === "tiles";
  const show = (next: View) => {
    if (isList(next)) {
      setTiles(next === "tiles");
      writeTableSettings("inventory", { tiles: next === "tiles" });
    }
    // Rows and tiles are one list. The others have orders of their own; what is narrowed stays.
    if (isList(next) && isList(view)) change({ view: null });
    else change({ view: isList(next) ? null : next, ordering: null, page: null });
  };
  const choice = <SegmentedControl label="View" value={view} options={VIEWS} onChange={show} />;
  return { view, choice };
}

/** Dialogs that other pages ask for in the address, or by a file that they hand over. */
function useAskedDialogs(open: (opened: StockDialog) => void) {
  const client = useQueryClient();
  const openRow =
    (how: { view: "edit"; first: "price" } | { view: "move" }) => async (asked: string) => {
      const id = idParam(new URLSearchParams({ asked }), "asked");
      if (id === null) return;
      try {
        open({ ...how, item: await client.fetchQuery(inventoryQueries.detail(id)) });
      } catch (error) {
        tellFailure(error);
      }
    };
  useHandedFile((file) => open({ view: "import", file }));
  useAskedFor("import", (refused) => open({ view: "import", refused }));
  useAskedFor("price", openRow({ view: "edit", first: "price" }));
  useAskedFor("move", openRow({ view: "move" }));
}

/** The dialogs that have an address of their own. */
function AddressedDialogs({ params, change }: { params: Address[0]; change: Address[1] }) {
  const sync = idParam(params, "sync");
  const item = idParam(params, "item");
  const count = idParam(params, "count");
  const listing = params.get("listing");
  const close = (name: string) => () => change({ [name]: null }, CLOSING);
  return (
    <>
      {sync !== null && <SyncDialog key={sync} id={sync} onClose={close("sync")} />}
      {item !== null && sync === null && <HistoryDrawer id={item} onClose={close("item")} />}
      {count !== null && <StocktakeDialog location={{ id: count }} onClose={close("count")} />}
      {listing && (
        <StockListing
          key={listing}
          jobId={listing}
          onJob={(id) => change({ listing: id })}
          onClose={close("listing")}
        />
      )}
      {params.get("acts") === "1" && <ActsDialog onClose={close("acts")} />}
    </>
  );
}

/** The way from the view of unknown lots to the page that names them. */
function NameThem() {
  return (
    <p className="mb-3 text-sm">
      <Link to={paths.unknownItems} className="font-medium text-accent hover:underline">
        Name them by their numbers
      </Link>
    </p>
  );
}

const tileOf = (row: InventoryItem) => (
  <LotTile
    row={row}
    to={`?item=${row.id}`}
    about={row.location_name ? `in ${row.location_name}` : "no bin"}
    isOdd={!row.location_name}
  />
);

function Rows({
  shown,
  choice,
  empty,
  more,
  open,
  setParams,
  tiles,
}: StockViewProps & { tiles: boolean }) {
  const currency = useCurrency();
  const [columns, setColumns] = useState(inventoryColumns);
  const table = useTableState("inventory", {
    filters: NARROWING,
    columns,
    ordering: "item_number",
  });
  const source = useMemo(() => inventoryRows(shown), [shown]);
  const remove = useRemoveRow();
  const refresh = useRefreshStock();
  const navigate = useNavigate();
  const actionsOf = (item: InventoryItem) =>
    rowActions(item, {
      edit: () => open({ view: "edit", item }),
      move: () => open({ view: "move", item }),
      split: () => open({ view: "split", item }),
      label: () => open({ view: "label", item }),
      list: () => open({ view: "stock", rows: { ids: [item.id] }, count: 1 }),
      unlist: () => open({ view: "unlist", rows: { ids: [item.id] }, count: 1 }),
      count: () => setParams({ count: item.location_id }),
      consolidate: () =>
        open({
          view: "consolidate",
          rows: { filter: { lot: String(item.lot_id), condition: item.condition } },
        }),
      history: () => setParams({ item: item.id }),
      location: () => void navigate(pathTo("locations", { location: item.location_id })),
      remove: () => void remove(item),
    });
  return (
    <>
      <ForSaleColumn onColumns={setColumns} />
      <Views table={table} shown={shown} />
      {table.filters.is_known === "false" && <NameThem />}
      {table.filters.location === "none" && <PutThem table={table} shown={shown} open={open} />}
      <DataTable
        label="Inventory"
        table={table}
        currency={currency}
        columns={columns}
        source={source}
        searchLabel="Search the inventory"
        filters={(all) => <Filters table={table} all={all} />}
        toolbar={
          (shown.unconsolidated || table.filters.unconsolidated) && (
            <Button
              needs="write inventoryItems/consolidate"
              size="sm"
              icon={Combine}
              onClick={() =>
                open({ view: "consolidate", rows: { filter: { unconsolidated: "true" } } })
              }
            >
              Consolidate all…
            </Button>
          )
        }
        more={more}
        switcher={choice}
        tile={tiles ? tileOf : undefined}
        rowActions={actionsOf}
        onOpen={(item) => setParams({ item: item.id })}
        needs="write inventoryItems/{}"
        onEdit={saveRowOf}
        onBulk={saveMany}
        rowName={nameOf}
        onEdited={refresh}
        offerAllMatching
        sums={<ShownSums query={sumsOfRows(shown, table.params)} />}
        bulk={(selection) => <BulkBar selection={selection} shown={shown} open={open} />}
        empty={empty}
      />
    </>
  );
}
