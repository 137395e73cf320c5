import { Footprints, PackageOpen, RefreshCw } from "lucide-react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { followJob } from "@/features/jobs/public";
import { counted, formatCount } from "@/shared/lib/format";
import { idParam } from "@/shared/lib/idParam";
import { problemText } from "@/shared/lib/problem";
import { DataTable } from "@/shared/table/DataTable";
import { useTableState } from "@/shared/table/tableState";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { lazyPart } from "@/shared/ui/lazyPart";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { orderColumns } from "./columns";
import { isPickable, type Order } from "./model";
import { useReadStore, useStartWalk } from "./mutations";
import { orderQueries, orderRows } from "./queries";

const OrderDetail = lazyPart(() => import("./OrderDetail").then((m) => m.OrderDetail));
const PickWalk = lazyPart(() => import("./walk/PickWalk").then((m) => m.PickWalk));

/** All orders, one of them at `?order=12`, or a walk at `?walk=3`. */
export function OrdersPage() {
  const [params] = useSearchParams();
  const order = idParam(params, "order");
  const walk = idParam(params, "walk");
  return (
    <Page wide>
      {walk !== null ? (
        <PickWalk key={walk} id={walk} />
      ) : order !== null ? (
        <OrderDetail key={order} id={order} />
      ) : (
        <AllOrders />
      )}
    </Page>
  );
}

function AllOrders() {
  const table = useTableState("orders", { columns: orderColumns, ordering: "-orderedAt" });
  const navigate = useNavigate();
  const read = useReadStore();
  const start = useStartWalk();
  const walks = useSideQuery(orderQueries.walks(), "your open walks");
  const waiting = useSideQuery(orderQueries.waiting(), "how many orders wait");

  const refresh = () =>
    read.mutate(undefined, {
      onSuccess: (job) => followJob(job.id),
      onError: (error) => void toast.error(problemText(error)),
    });
  const pick = (orders: readonly Order[]) =>
    start.mutate(
      orders.filter(isPickable).map(({ id }) => id),
      {
        onSuccess: (walk) => void navigate(`/app/orders?walk=${walk.id}`),
        onError: (error) => void toast.error(problemText(error)),
      },
    );

  return (
    <>
      <PageHeader
        title="Orders"
        description={
          waiting
            ? `${counted(waiting.to_pick, "order")} to pick, ${formatCount(waiting.to_pack)} to pack, ${formatCount(waiting.to_ship)} to ship${waiting.overdue > 0 ? `, ${formatCount(waiting.overdue)} overdue` : ""}.`
            : "What was sold: pick it, pack it, send it."
        }
        actions={
          <Button
            loading={read.isPending}
            icon={<RefreshCw aria-hidden="true" className="size-4" />}
            onClick={refresh}
          >
            Refresh
          </Button>
        }
      />
      {walks?.map((walk) => (
        <Notice
          key={walk.id}
          tone="info"
          title={`A walk is under way: ${counted(walk.stops_done, "stop")} done`}
          actions={
            <ButtonLink size="sm" to={`/app/orders?walk=${walk.id}`}>
              Go on
            </ButtonLink>
          }
        />
      ))}
      <DataTable
        label="Orders"
        table={table}
        columns={orderColumns}
        source={orderRows}
        searchLabel="Search orders"
        rowName={(order) => `Order ${order.number}`}
        onOpen={(order) => void navigate(`/app/orders?order=${order.id}`)}
        bulk={(selection) => {
          const count = selection.rows.filter(isPickable).length;
          return (
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
          );
        }}
        empty={
          <EmptyState
            icon={<PackageOpen aria-hidden="true" className="size-5" />}
            title="No orders"
            actions={<Button onClick={refresh}>Look at the store</Button>}
          >
            Refresh brings what buyers took of your store. A sync of the store does so too.
          </EmptyState>
        }
      />
    </>
  );
}
