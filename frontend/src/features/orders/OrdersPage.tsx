import { FileUp, Footprints, HandCoins, PackageOpen, RefreshCw } from "lucide-react";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { counted, formatCount } from "@/shared/lib/format";
import { useHandedFile } from "@/shared/lib/useHandedFile";
import { useKeptChoice } from "@/shared/lib/useKeptChoice";
import { DataTable } from "@/shared/table/DataTable";
import { useTableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { PageHeader } from "@/shared/ui/Card";
import { DropZone } from "@/shared/ui/DropZone";
import { HeadActs } from "@/shared/ui/HeadActs";
import { ListPage } from "@/shared/ui/ListPage";
import { lazyPart } from "@/shared/ui/lazyPart";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState } from "@/shared/ui/states";
import { Board, StoreChoice } from "./Board";
import { orderColumns } from "./columns";
import { isPickable, type Order } from "./model";
import { useRefreshFromStore, useStartWalk } from "./mutations";
import { Look, useNextStep } from "./NextStep";
import { PapersMenu } from "./Papers";
import { orderQueries, orderRows } from "./queries";
import { useOrdersPath, useShowOrders } from "./useOrdersPath";

const OrderDetail = lazyPart(() => import("./OrderDetail").then((m) => m.OrderDetail));
const HandSaleDialog = lazyPart(() => import("./HandSaleDialog").then((m) => m.HandSaleDialog));
const OrderFileDialog = lazyPart(() => import("./OrderFileDialog").then((m) => m.OrderFileDialog));
const StoreColumn = lazyPart(() => import("./StoreColumn").then((m) => m.StoreColumn));
const PickWalk = lazyPart(() => import("./walk/PickWalk").then((m) => m.PickWalk));

/** All orders, one of them at `?order=12`, or a walk at `?walk=3`. */
export function OrdersPage() {
  const walk = (id: number) => <PickWalk key={id} id={id} />;
  const order = (id: number) => <OrderDetail key={id} id={id} />;
  return (
    <ListPage one={{ walk, order }}>
      <AllOrders />
    </ListPage>
  );
}

const VIEWS = { board: "Board", table: "Table" };
type View = keyof typeof VIEWS;

function AllOrders() {
  const [params] = useSearchParams();
  // A file that was refused later. A store narrows the board, too; else an address opens the table.
  const refusedFile = params.get("file");
  const isNarrowed = [...params.keys()].some((name) => name !== "file" && name !== "marketplace");
  const kept = useKeptChoice("orders_view", VIEWS, "board");
  const view = isNarrowed ? "table" : kept.value;
  const navigate = useNavigate();
  const path = useOrdersPath();
  const store = useRefreshFromStore();
  const [isSelling, setSelling] = useState(false);
  // Null: one is still to be chosen.
  const [file, setFile] = useState<File | null>();
  useHandedFile(setFile);
  const waiting = useSideQuery(orderQueries.waiting(), "how many orders wait");
  const show = (next: View) => {
    kept.onChange(next);
    if (isNarrowed) void navigate(path());
  };
  const isEmpty = waiting?.total === 0;
  const step = { onRefresh: store.refresh, refreshing: store.isPending };
  const next = useNextStep(step);
  const look = {
    id: "look",
    label: "Check for orders",
    icon: RefreshCw,
    disabledReason: store.isPending && "The store is being read",
    run: store.refresh,
  };

  return (
    <DropZone
      label="Drop an order file to import its orders"
      onFile={(dropped) => !document.querySelector("[role=dialog]") && setFile(dropped)}
    >
      <PageHeader
        title="Orders"
        description={
          waiting && !isEmpty
            ? `${counted(waiting.to_pick, "order")} to pick, ${formatCount(waiting.to_pack)} to pack, ${formatCount(waiting.to_ship)} to ship${waiting.overdue > 0 ? `, ${formatCount(waiting.overdue)} overdue` : ""}.`
            : "What was sold: pick it, pack it, ship it."
        }
        actions={
          <>
            <HeadActs
              acts={[
                {
                  id: "file",
                  label: "From a file",
                  icon: FileUp,
                  needs: "write orders/importFile",
                  run: () => setFile(null),
                },
                {
                  id: "sale",
                  label: "Record a sale",
                  icon: HandCoins,
                  needs: "write orders",
                  run: () => setSelling(true),
                },
                ...(next ? [look] : []),
              ]}
            />
            {next ?? <Look {...step} />}
          </>
        }
      />
      {isEmpty ? (
        <EmptyState icon={PackageOpen} title="No orders yet">
          “Check for orders” reads what was sold in your store; each sync of the store does so, too.
          Drop BrickLink's order download here to import it.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap gap-2">
            <SegmentedControl label="View" value={view} options={VIEWS} onChange={show} />
            {view === "board" && <StoreChoice />}
          </div>
          {view === "board" ? <Board /> : <OrderTable />}
        </div>
      )}
      {isSelling && <HandSaleDialog onClose={() => setSelling(false)} />}
      {(file !== undefined || refusedFile) && (
        <OrderFileDialog
          dropped={file ?? undefined}
          refusedKey={refusedFile ?? undefined}
          onClose={() => {
            setFile(undefined);
            if (refusedFile) void navigate(path(), { replace: true });
          }}
        />
      )}
    </DropZone>
  );
}

function OrderTable() {
  const [columns, setColumns] = useState(orderColumns);
  const table = useTableState("orders", {
    filters: ["marketplace"],
    columns,
    ordering: "-orderedAt",
  });
  const show = useShowOrders();
  const start = useStartWalk();
  const pick = (orders: readonly Order[]) =>
    start.mutate(
      orders.filter(isPickable).map(({ id }) => id),
      { onSuccess: (walk) => show({ walk: walk.id }) },
    );
  return (
    <>
      <StoreColumn onColumns={setColumns} />
      <DataTable
        label="Orders"
        table={table}
        columns={columns}
        source={orderRows}
        searchLabel="Search orders"
        rowName={(order) => `Order ${order.number}`}
        onOpen={(order) => show({ order: order.id })}
        bulk={(selection) => {
          const count = selection.rows.filter(isPickable).length;
          return (
            <>
              <Button
                variant="primary"
                size="sm"
                loading={start.isPending}
                disabledReason={count === 0 && "None of them has pieces to pick"}
                icon={<Footprints aria-hidden="true" className="size-3.5" />}
                onClick={() => pick(selection.rows)}
              >
                Pick {counted(count, "order")}
              </Button>
              <PapersMenu orders={selection.rows.map(({ id }) => id)} />
            </>
          );
        }}
        empty={
          <EmptyState icon={PackageOpen} title="No orders yet">
            “Check for orders” reads what was sold in your store.
          </EmptyState>
        }
      />
    </>
  );
}
