import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Ban, Banknote, Boxes, Ellipsis, Footprints, Undo2, UserX } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { ChannelMark } from "@/features/marketplace/public";
import {
  counted,
  formatCount,
  formatDateTime,
  formatMoney,
  formatTotal,
  formatWeight,
} from "@/shared/lib/format";
import { may, type Operation } from "@/shared/lib/role";
import { useIsPhone } from "@/shared/lib/useIsPhone";
import { byWhom } from "@/shared/lib/whoDidIt";
import { BackLink } from "@/shared/ui/BackLink";
import { Badge } from "@/shared/ui/Badge";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Card, PageHeader } from "@/shared/ui/Card";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { ColorName, ConditionTag, LotName, lotNameOf } from "@/shared/ui/Lot";
import { Menu, type MenuEntry } from "@/shared/ui/Menu";
import type { MenuAction } from "@/shared/ui/menuEntry";
import { SimpleTable } from "@/shared/ui/SimpleTable";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { ErrorState, Loaded, Loading, LoadProblem, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import {
  isPickable,
  isSent,
  type Order,
  type OrderLine,
  orderedText,
  refundable,
  stateNames,
  stateTones,
} from "./model";
import { type OrderAct, useActOnOrder, useRefreshFromStore, useStartWalk } from "./mutations";
import { NextStep } from "./NextStep";
import { PackButton, Packing, ShipButton, Shipping } from "./Packing";
import { PapersMenu } from "./Papers";
import { SoldTwice } from "./parts";
import { orderQueries } from "./queries";
import { RefundDialog } from "./RefundDialog";
import { ReturnDialog } from "./ReturnDialog";
import { StatusWord } from "./StatusWord";
import { useOrdersPath, useShowOrders } from "./useOrdersPath";

type Run = (act: OrderAct) => void;

const DONE: Partial<Record<OrderAct["kind"], string>> = {
  pack: "packed",
  unpack: "to be packed again",
  ship: "shipped",
  unship: "to be shipped again",
  file: "archived",
  cancel: "cancelled, its pieces are free again",
  unrefund: "not refunded after all",
  forgetBuyer: "the buyer's data is erased",
};
const UNDO: Partial<Record<OrderAct["kind"], OrderAct>> = {
  pack: { kind: "unpack" },
  ship: { kind: "unship" },
};

/** One order: its buyer, its lots, its tray, and the next step. */
export function OrderDetail({ id }: { id: number }) {
  const path = useOrdersPath();
  const query = useQuery(orderQueries.detail(id));
  const lines = useQuery(orderQueries.lines(id));
  const act = useActOnOrder(id, { tellsFailure: true });
  const run = (what: OrderAct): void =>
    act.mutate(what, {
      onSuccess: () => {
        const words = DONE[what.kind];
        if (!words) return;
        const back = UNDO[what.kind];
        toast.success(`${query.data?.number ?? "Order"}: ${words}`, {
          id: `order-${id}`,
          ...(back && { action: { label: "Undo", run: () => run(back) } }),
        });
      },
    });

  if (query.isPending) return <Loading />;
  if (query.error) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  const order = query.data;
  return (
    // Wider, a line's name and its colour are read as two things.
    <div className="mx-auto max-w-[110rem]">
      <BackLink to={path()}>Orders</BackLink>
      <PageHeader
        title={`Order ${order.number}`}
        description={
          <span className="flex flex-wrap items-center gap-2">
            <Badge tone={stateTones[order.state]}>{stateNames[order.state]}</Badge>
            {order.is_status_unknown ? (
              <StatusWord order={order} />
            ) : (
              order.status &&
              order.status.toLowerCase() !== order.state && (
                <span className="text-muted">{order.status}</span>
              )
            )}
            {orderedText(order)}
            <ChannelMark marketplace={order.marketplace} />
          </span>
        }
        actions={<Acts order={order} lines={lines.data ?? []} busy={act.isPending} run={run} />}
      />
      <div className="flex flex-col gap-4">
        {order.is_status_unknown && order.state === "new" && (
          <Notice tone="warning" title={`The status “${order.status}” is not known here`}>
            The order counts as new and its pieces are held. Look at it where it was sold, then pick
            it or cancel it.
          </Notice>
        )}
        {/* Packing without lines would say that everything is checked. */}
        {(lines.data || order.state !== "picked") && (
          <Step
            key={order.state}
            order={order}
            lines={lines.data ?? []}
            busy={act.isPending}
            run={run}
          />
        )}
        <Parcel order={order} />
        {order.sold_twice && <SoldTwice id={id} />}
        {order.differences > 0 && <Differences id={id} onSeen={() => run({ kind: "seen" })} />}
        <Told id={id} />
        <Head order={order} />
        <Loaded query={lines}>{(rows) => <Lines order={order} lines={rows} />}</Loaded>
        {order.channel === "store" && may("read orders/{}/messages") && <Messages id={id} />}
        <History id={id} />
      </div>
    </div>
  );
}

type MenuAsk = Omit<MenuAction, "run"> & { needs: Operation };

function Acts(props: { order: Order; lines: readonly OrderLine[]; busy: boolean; run: Run }) {
  const { order, lines, busy, run } = props;
  const [asked, setAsked] = useState<"cancel" | "return" | "refund" | "forget" | null>(null);
  const isOpen = ["new", "paid", "picked", "packed"].includes(order.state);
  const isOut = lines.some((line) => line.picked > line.returned);
  const close = () => setAsked(null);
  const asks: (MenuAsk & { isMeant: boolean })[] = [
    {
      id: "return",
      needs: "write orders/{}/return",
      label: "Return",
      icon: Undo2,
      isMeant: !isOpen && isOut,
    },
    {
      id: "refund",
      needs: "write orders/{}/refund",
      label: "Refund",
      icon: Banknote,
      isMeant: order.state !== "new" && refundable(order) > 0,
    },
    {
      id: "cancel",
      needs: "write orders/{}/cancel",
      label: "Cancel order",
      icon: Ban,
      isMeant: isOpen,
    },
    {
      id: "forget",
      needs: "write orders/{}/forgetBuyer",
      label: "Forget this buyer",
      icon: UserX,
      isMeant: !isOpen && Boolean(order.buyer || order.address_name || order.address),
    },
  ];
  const entries = asks.flatMap(({ isMeant, ...entry }): MenuEntry[] =>
    isMeant && may(entry.needs)
      ? [{ ...entry, run: () => setAsked(entry.id as typeof asked) }]
      : [],
  );
  return (
    <>
      {entries.length > 0 && (
        <Menu trigger={<Button icon={Ellipsis}>More</Button>} entries={entries} />
      )}
      <PapersMenu orders={[order.id]} />
      {!isOpen && !order.is_filed && (
        <Button needs="write orders/{}/file" loading={busy} onClick={() => run({ kind: "file" })}>
          Archive
        </Button>
      )}
      <ConfirmDialog
        open={asked === "cancel"}
        title={`Cancel order ${order.number}?`}
        confirmLabel="Cancel order"
        closeLabel="Keep the order"
        danger
        onConfirm={() => {
          close();
          run({ kind: "cancel", body: {} });
        }}
        onClose={close}
      >
        {order.channel === "store" && "The store is informed. "}Reserved pieces are free again, and{" "}
        {isOut ? "those already picked go back into their bins" : "nothing was picked yet"}. A
        payment is refunded where it was made.
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === "forget"}
        title={`Forget ${order.address_name || order.buyer || "this buyer"}?`}
        confirmLabel="Forget this buyer"
        danger
        onConfirm={() => {
          close();
          run({ kind: "forgetBuyer" });
        }}
        onClose={close}
      >
        Name, address, e-mail, remarks and tracking number are erased in all orders of this buyer.
        Your backups that are kept here are deleted, since they hold the same; those that you
        downloaded still do. Sums and lots stay. This cannot be undone.
      </ConfirmDialog>
      {asked === "refund" && (
        <RefundDialog
          order={order}
          lines={lines}
          onClose={close}
          onDone={(amount) =>
            toast.success(`${order.number}: ${formatTotal(amount, order.currency)} refunded`, {
              id: `order-${order.id}`,
              action: { label: "Undo", run: () => run({ kind: "unrefund", body: { amount } }) },
            })
          }
        />
      )}
      {asked === "return" && <ReturnDialog order={order} lines={lines} onClose={close} />}
      <Next order={order} lines={lines} busy={busy} />
    </>
  );
}

const toPick = (order: Order) => order.walk_id !== null || isPickable(order);

/** The next act: to pick, pack or ship the order or, where nothing is left to do, the next one. */
function Next(props: { order: Order; lines: readonly OrderLine[]; busy: boolean }) {
  const { order } = props;
  const store = useRefreshFromStore();
  if (toPick(order)) return <Pick order={order} />;
  if (order.state === "picked") return <PackButton {...props} />;
  if (order.state === "packed") return <ShipButton {...props} />;
  return (
    <NextStep
      takesFocus={isSent(order)}
      except={order.id}
      onRefresh={store.refresh}
      refreshing={store.isPending}
    />
  );
}

/** The next act of an order whose pieces are in their bins. */
function Pick({ order }: { order: Order }) {
  const path = useOrdersPath();
  const show = useShowOrders();
  const start = useStartWalk();
  if (order.walk_id !== null) {
    return (
      <ButtonLink variant="primary" to={path({ walk: order.walk_id })}>
        Continue picking
      </ButtonLink>
    );
  }
  return (
    <Button
      variant="primary"
      loading={start.isPending}
      icon={Footprints}
      onClick={() =>
        start.mutate([order.id], {
          onSuccess: (walk) => show({ walk: walk.id }),
        })
      }
    >
      Pick {counted(order.to_pick, "piece")}
    </Button>
  );
}

/** What the order waits for: its pick walk, its checks, its tracking number, or the next order. */
function Step(props: { order: Order; lines: readonly OrderLine[]; busy: boolean; run: Run }) {
  const { order, lines, busy, run } = props;
  if (order.state === "picked") {
    return <Packing order={order} lines={lines} run={run} />;
  }
  if (order.state === "packed") return <Shipping order={order} run={run} />;
  if (toPick(order)) {
    return (
      <div className="flex flex-wrap items-center gap-3 empty:hidden">
        {order.lacking > 0 &&
          order.lacking === order.to_pick &&
          lines.some((x) => x.picked > 0) && <LeaveOut order={order} busy={busy} run={run} />}
        {order.state === "new" && (
          <p className="text-muted text-sm">It is not paid yet; its pieces are reserved.</p>
        )}
      </div>
    );
  }
  return order.shippedAt ? (
    <p className="text-muted text-sm">Shipped {formatDateTime(order.shippedAt)}</p>
  ) : null;
}

/** The way on for an order whose last pieces no bin has. */
function LeaveOut(props: { order: Order; busy: boolean; run: Run }) {
  const { order, busy, run } = props;
  const [asked, setAsked] = useState(false);
  const pieces = counted(order.lacking, "piece");
  return (
    <>
      <Button
        needs="write orders/{}/leaveOut"
        size="lg"
        loading={busy}
        onClick={() => setAsked(true)}
      >
        Pack without {pieces}
      </Button>
      <ConfirmDialog
        open={asked}
        title={`Pack without ${pieces}?`}
        confirmLabel={`Leave ${pieces} out`}
        onConfirm={() => {
          setAsked(false);
          run({ kind: "leaveOut" });
        }}
        onClose={() => setAsked(false)}
      >
        No bin has them. They are named on the packing slip as not included; tell the buyer, and
        refund them where they were paid.
      </ConfirmDialog>
    </>
  );
}

/** Other orders of the buyer: what shares its parcel, or could. */
function Parcel({ order }: { order: Order }) {
  const rows = useSideQuery(orderQueries.parcel(order.id), "other orders of the buyer") ?? [];
  const change = useActOnOrder(order.id, { tellsFailure: true });
  const path = useOrdersPath();
  const together = rows.filter(({ is_together }) => is_together);
  const others = rows.filter(({ is_together }) => !is_together);
  if (rows.length === 0) return null;
  const name = order.address_name || order.buyer;
  const links = (some: typeof rows) =>
    some.map(({ id, number, pieces }) => (
      <Link key={id} to={path({ order: id })} className="mr-3 underline">
        {number} ({counted(pieces, "piece")})
      </Link>
    ));
  const separate = () =>
    change.mutate({ kind: "separate" }, { onSuccess: () => toast.success("Sent separately") });
  const combine = () =>
    change.mutate(
      { kind: "combine", body: { order_ids: others.map(({ id }) => id) } },
      {
        onSuccess: () =>
          toast.success(`${counted(rows.length + 1, "order")} in one parcel`, {
            action: { label: "Undo", run: separate },
          }),
      },
    );
  return (
    <>
      {together.length > 0 && (
        <Notice
          tone="info"
          title={`One parcel, one tray, one packing slip: ${counted(together.length + 1, "order")}`}
          actions={
            order.state !== "packed" &&
            !isSent(order) && (
              <Button size="sm" loading={change.isPending} onClick={separate}>
                Send separately
              </Button>
            )
          }
        >
          With {links(together)}
        </Notice>
      )}
      {others.length > 0 && (
        <Notice
          tone="info"
          title={`${name} has ${counted(others.length + 1, "order")} to send`}
          actions={
            <Button size="sm" icon={Boxes} loading={change.isPending} onClick={combine}>
              Combine {counted(rows.length + 1, "order")}
            </Button>
          }
        >
          Also {links(others)}
        </Notice>
      )}
    </>
  );
}

function Differences({ id, onSeen }: { id: number; onSeen: () => void }) {
  const data = useSideQuery(orderQueries.events(id), "what changed in the order");
  const news = data?.filter((event) => event.is_difference && event.seenAt === null) ?? [];
  if (news.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title="Changed since you last looked"
      actions={
        <Button size="sm" onClick={onSeen}>
          Seen
        </Button>
      }
    >
      <ul className="flex flex-col gap-0.5">
        {news.map((event) => (
          <li key={event.id}>{event.text}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** What the marketplace has not heard yet, or did not take. */
function Told({ id }: { id: number }) {
  const data = useSideQuery(orderQueries.marketplaceSteps(id), "messages to the store");
  const open = data?.filter(({ state }) => state !== "done") ?? [];
  if (open.length === 0) return null;
  const isRefused = open.some(({ state }) => state === "refused");
  return (
    <Notice
      tone={isRefused ? "warning" : "info"}
      title={isRefused ? "The store refused something" : "Being sent to the store"}
    >
      <ul>
        {open.map((intent) => (
          <li key={intent.id}>
            {stepNames[intent.step]}: {intent.state === "refused" ? intent.reason : "on its way"}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const stepNames = {
  packed: "Packed",
  tracking: "Tracking number",
  shipped: "Shipped",
  filed: "Archived",
  cancelled: "Cancelled",
} as const;

function Head({ order }: { order: Order }) {
  const sums = [
    ["Pieces", order.subtotal],
    ["Shipping", order.shipping],
    ["Insurance", order.insurance],
    ["Fees", order.fees],
    ["Credit", order.credit],
    ["Tax", order.tax],
    ["VAT", order.vat],
    ["Total", order.total, "font-medium"],
    ["Refunded", order.refunded, "text-danger"],
  ].filter(([name, amount]) => name === "Pieces" || name === "Total" || Number(amount) !== 0);
  return (
    <section
      aria-label="Buyer and money"
      className="grid gap-4 rounded-card border border-line bg-surface p-4 shadow-card sm:grid-cols-3"
    >
      <div>
        <h2 className="font-medium text-muted text-sm">Send to</h2>
        <p className="wrap-anywhere whitespace-pre-line">
          {[order.address_name, order.address, order.country].filter(Boolean).join("\n") ||
            order.buyer ||
            "No name given"}
        </p>
      </div>
      <div>
        <h2 className="font-medium text-muted text-sm">Money</h2>
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 tabular-nums">
          {sums.map(([name, amount, look]) => (
            <div key={name} className={clsx("col-span-2 flex justify-between", look)}>
              <dt>{name}</dt>
              <dd>{formatTotal(amount ?? "0", order.currency)}</dd>
            </div>
          ))}
        </dl>
        <p className="text-muted text-sm">
          {[order.payment_method, order.payment_status].filter(Boolean).join(", ") ||
            "No payment was reported"}
        </p>
      </div>
      <div>
        <h2 className="font-medium text-muted text-sm">From the buyer</h2>
        <p className="wrap-anywhere whitespace-pre-line">{order.remarks || "No remarks"}</p>
        {(order.grams || order.weighed_grams || order.tracking_number) && (
          <h2 className="mt-4 font-medium text-muted text-sm">Parcel</h2>
        )}
        {(order.grams || order.weighed_grams) && (
          <p className="wrap-anywhere">
            {order.grams && `${formatWeight(order.grams)} as reported`}
            {order.weighed_grams &&
              `${order.grams ? ", " : ""}${formatWeight(order.weighed_grams)} weighed`}
          </p>
        )}
        {order.tracking_number && (
          <p className="wrap-anywhere">Tracking number {order.tracking_number}</p>
        )}
      </div>
    </section>
  );
}

function Lines({ order, lines }: { order: Order; lines: readonly OrderLine[] }) {
  const isPhone = useIsPhone();
  if (isPhone) {
    return (
      <ul aria-label="Lines" className="rounded-control border border-line">
        {lines.map((line) => (
          <li
            key={line.id}
            className="flex flex-col gap-1.5 border-line border-b px-3 py-2 text-sm last:border-b-0"
          >
            <LotName {...lotNameOf(line)} isKnown={line.lot_id !== null} />
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
              <span className="text-ink tabular-nums">
                {formatCount(line.quantity)} × {formatMoney(line.price, order.currency)}
              </span>
              <ColorName name={line.color_name} html={line.color_html} />
              <ConditionTag condition={line.condition} />
              <span>
                <Where line={line} />
              </span>
              <span>
                picked <Picked line={line} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <SimpleTable
      caption="Lines"
      maxHeight="none"
      rows={lines}
      getKey={(line) => line.id}
      columns={[
        {
          header: "Lot",
          grow: true,
          cell: (line) => <LotName {...lotNameOf(line)} isKnown={line.lot_id !== null} />,
        },
        {
          header: "Colour",
          cell: (line) => <ColorName name={line.color_name} html={line.color_html} />,
        },
        { header: "Condition", cell: (line) => <ConditionTag condition={line.condition} /> },
        { header: "Pieces", align: "end", cell: (line) => formatCount(line.quantity) },
        { header: "Each", align: "end", cell: (line) => formatMoney(line.price, order.currency) },
        { header: "Where", cell: (line) => <Where line={line} /> },
        { header: "Picked", align: "end", cell: (line) => <Picked line={line} /> },
      ]}
    />
  );
}

const Picked = ({ line }: { line: OrderLine }) => (
  <>
    {formatCount(line.picked)}
    {line.short > 0 && <span className="text-danger"> ({formatCount(line.short)} short)</span>}
    {line.returned > 0 && <span className="text-muted"> ({formatCount(line.returned)} back)</span>}
  </>
);

function Where({ line }: { line: OrderLine }) {
  return (
    <>
      {line.places.map(({ item_id, location_name, quantity }) => (
        <span key={item_id} className="block whitespace-nowrap">
          {location_name || "no bin"} ({formatCount(quantity)})
        </span>
      ))}
      {line.lacking > 0 && (
        <span className="text-danger"> {formatCount(line.lacking)} not in stock</span>
      )}
      {line.places.length === 0 && line.lacking === 0 && <span className="text-muted">–</span>}
    </>
  );
}

/** What buyer and seller wrote, to be read; answers are written at the store. */
function Messages({ id }: { id: number }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...orderQueries.messages(id), enabled: isOpen });
  return (
    <Card
      title="Messages"
      description="Read at the store; answers are written there."
      actions={
        !isOpen && (
          <Button size="sm" onClick={() => setOpen(true)}>
            Show
          </Button>
        )
      }
      padded={isOpen}
    >
      {isOpen && (
        <Loaded query={query} empty={<p className="text-muted text-sm">No messages.</p>}>
          {(messages) => (
            <ul className="flex flex-col gap-3">
              {messages.map((message) => (
                <li key={`${message.sentAt} ${message.sender} ${message.text}`}>
                  <p className="wrap-anywhere font-medium text-sm">
                    {message.sender}
                    {message.subject && `: ${message.subject}`}
                  </p>
                  <p className="wrap-anywhere whitespace-pre-line text-sm">{message.text}</p>
                  {message.sentAt && (
                    <p className="text-muted text-xs">{formatDateTime(message.sentAt)}</p>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      )}
    </Card>
  );
}

/** What happened to the order, the newest first. */
function History({ id }: { id: number }) {
  const query = useQuery(orderQueries.events(id));
  if (!query.data || query.data.length === 0)
    return <LoadProblem query={query} what="Its history" />;
  return (
    <Card title="History">
      <ol aria-label="What happened" className="flex flex-col gap-1">
        {query.data.map((event) => (
          <li key={event.id} className="flex flex-wrap gap-x-3 text-sm">
            <span className="w-40 shrink-0 text-muted">{formatDateTime(event.at)}</span>
            <span className="wrap-anywhere min-w-0 flex-1 basis-52">
              {event.text}
              {byWhom(event) && <span className="text-muted"> · {byWhom(event)}</span>}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
