import { useQuery } from "@tanstack/react-query";
import { Ban, Box, Footprints, Truck, Undo2 } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { formatCount, formatDateTime, formatMoney, formatTotal } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { BackLink } from "@/shared/ui/BackLink";
import { Badge } from "@/shared/ui/Badge";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { PageHeader } from "@/shared/ui/Card";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { Field, Input } from "@/shared/ui/Field";
import { ColorName, ConditionTag, LotName } from "@/shared/ui/Lot";
import { SimpleTable } from "@/shared/ui/SimpleTable";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { ErrorState, Loading, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { isPickable, isSent, type Order, type OrderLine, stateNames, stateTones } from "./model";
import { type OrderAct, useActOnOrder, useStartWalk } from "./mutations";
import { orderQueries } from "./queries";

const DONE: Partial<Record<OrderAct["kind"], string>> = {
  pack: "Packed",
  ship: "Shipped",
  file: "Filed",
  cancel: "Cancelled: its pieces are free again",
  return: "Back in stock",
};

/** One order: who, what, where it lies, and the next step. */
export function OrderDetail({ id }: { id: number }) {
  const query = useQuery(orderQueries.detail(id));
  const lines = useQuery(orderQueries.lines(id));
  const act = useActOnOrder(id);
  const run = (what: OrderAct) =>
    act.mutate(what, {
      onSuccess: () => {
        const words = DONE[what.kind];
        if (!words) return;
        toast.success(words, {
          id: `order-${id}`,
          ...(what.kind === "pack" && {
            action: { label: "Undo", run: () => act.mutate({ kind: "unpack" }) },
          }),
        });
      },
      onError: (error) => void toast.error(problemText(error)),
    });

  if (query.isPending) return <Loading />;
  if (query.error) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  const order = query.data;
  return (
    <>
      <BackLink to="/app/orders">Orders</BackLink>
      <PageHeader
        title={`Order ${order.number}`}
        description={
          <span className="flex flex-wrap items-center gap-2">
            <Badge tone={stateTones[order.state]}>{stateNames[order.state]}</Badge>
            {order.status && order.status.toLowerCase() !== order.state && (
              <span className="text-muted">{order.status}</span>
            )}
            <span>{formatDateTime(order.orderedAt)}</span>
          </span>
        }
        actions={<Steps order={order} busy={act.isPending} run={run} />}
      />
      <div className="flex flex-col gap-4">
        {order.differences > 0 && <Differences id={id} onSeen={() => run({ kind: "seen" })} />}
        <Told id={id} />
        <Head order={order} />
        {lines.error ? (
          <ErrorState error={lines.error} onRetry={() => void lines.refetch()} />
        ) : (
          <Lines order={order} lines={lines.data ?? []} run={run} />
        )}
      </div>
    </>
  );
}

function Steps(props: { order: Order; busy: boolean; run: (act: OrderAct) => void }) {
  const { order, busy, run } = props;
  const [tracking, setTracking] = useState(order.tracking_number);
  const [grams, setGrams] = useState("");
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const start = useStartWalk();
  const isOpen = ["new", "paid", "picked", "packed"].includes(order.state);
  return (
    <div className="flex flex-wrap items-end gap-2">
      {order.walk_id !== null ? (
        <ButtonLink variant="primary" to={`/app/orders?walk=${order.walk_id}`}>
          Go on picking
        </ButtonLink>
      ) : (
        isPickable(order) && (
          <Button
            variant="primary"
            loading={start.isPending}
            icon={<Footprints aria-hidden="true" className="size-4" />}
            onClick={() =>
              start.mutate([order.id], {
                onSuccess: (walk) => void navigate(`/app/orders?walk=${walk.id}`),
                onError: (error) => void toast.error(problemText(error)),
              })
            }
          >
            Pick
          </Button>
        )
      )}
      {order.state === "picked" && (
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            run({ kind: "pack", ...(grams && { grams }) });
          }}
        >
          <Field label="Weighed, g">
            <Input
              value={grams}
              inputMode="decimal"
              className="w-28"
              onChange={(event) => setGrams(event.target.value)}
            />
          </Field>
          <Button
            type="submit"
            variant="primary"
            loading={busy}
            icon={<Box aria-hidden="true" className="size-4" />}
          >
            Packed
          </Button>
        </form>
      )}
      {order.state === "packed" && (
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            run({ kind: "ship", tracking });
          }}
        >
          <Field label="Tracking number">
            <Input
              value={tracking}
              maxLength={100}
              className="w-44"
              onChange={(event) => setTracking(event.target.value)}
            />
          </Field>
          <Button
            type="submit"
            variant="primary"
            loading={busy}
            icon={<Truck aria-hidden="true" className="size-4" />}
          >
            Shipped
          </Button>
        </form>
      )}
      {!isOpen && !order.is_filed && (
        <Button loading={busy} onClick={() => run({ kind: "file" })}>
          File
        </Button>
      )}
      {isOpen && (
        <Button
          variant="ghost"
          icon={<Ban aria-hidden="true" className="size-4" />}
          onClick={() => setAsking(true)}
        >
          Cancel order
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        title={`Cancel order ${order.number}?`}
        confirmLabel="Cancel order"
        danger
        onConfirm={() => {
          setAsking(false);
          run({ kind: "cancel" });
        }}
        onClose={() => setAsking(false)}
      >
        The store is told. Promised pieces are free again, and picked ones go back into their bins.
      </ConfirmDialog>
    </div>
  );
}

function Differences({ id, onSeen }: { id: number; onSeen: () => void }) {
  const data = useSideQuery(orderQueries.events(id), "what changed in the order");
  const news = data?.filter((event) => event.is_difference && event.seenAt === null) ?? [];
  if (news.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title="Something changed"
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
  const data = useSideQuery(orderQueries.told(id), "what the store is told");
  const open = data?.filter(({ state }) => state !== "done") ?? [];
  if (open.length === 0) return null;
  return (
    <Notice tone="info" title="The store is being told">
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
  filed: "Filed",
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
  ].filter(([name, amount]) => name === "Pieces" || Number(amount) !== 0);
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
            "Nobody was named"}
        </p>
      </div>
      <div>
        <h2 className="font-medium text-muted text-sm">Money</h2>
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 tabular-nums">
          {sums.map(([name, amount]) => (
            <div key={name} className="col-span-2 flex justify-between">
              <dt>{name}</dt>
              <dd>{formatTotal(amount ?? "0", order.currency)}</dd>
            </div>
          ))}
          <div className="col-span-2 flex justify-between font-medium">
            <dt>Total</dt>
            <dd>{formatTotal(order.total, order.currency)}</dd>
          </div>
        </dl>
        <p className="text-muted text-sm">
          {[order.payment_method, order.payment_status].filter(Boolean).join(", ") ||
            "No payment is told of"}
        </p>
      </div>
      <div>
        <h2 className="font-medium text-muted text-sm">From the buyer</h2>
        <p className="wrap-anywhere whitespace-pre-line">{order.remarks || "–"}</p>
        {(order.grams || order.weighed_grams) && (
          <p className="text-muted text-sm">
            {order.grams && `${order.grams} g as reported`}
            {order.weighed_grams && `, ${order.weighed_grams} g weighed`}
          </p>
        )}
        {order.tracking_number && (
          <p className="text-muted text-sm">Tracking number {order.tracking_number}</p>
        )}
      </div>
    </section>
  );
}

function Lines(props: { order: Order; lines: readonly OrderLine[]; run: (act: OrderAct) => void }) {
  const { order, lines, run } = props;
  const canReturn = isSent(order) || order.state === "cancelled";
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
          cell: (line) => (
            <LotName
              number={line.item_number}
              name={line.item_name}
              type={line.item_type}
              image={line.image_url}
              colorName={line.color_name}
              colorHtml={line.color_html}
              isKnown={line.lot_id !== null}
            />
          ),
        },
        {
          header: "Colour",
          cell: (line) => <ColorName name={line.color_name} html={line.color_html} />,
        },
        { header: "", cell: (line) => <ConditionTag condition={line.condition} /> },
        { header: "Pieces", align: "end", cell: (line) => formatCount(line.quantity) },
        { header: "Each", align: "end", cell: (line) => formatMoney(line.price, order.currency) },
        { header: "Where", cell: (line) => <Where line={line} /> },
        {
          header: "Picked",
          align: "end",
          cell: (line) => (
            <>
              {formatCount(line.picked)}
              {line.short > 0 && (
                <span className="text-danger"> ({formatCount(line.short)} short)</span>
              )}
              {line.returned > 0 && (
                <span className="text-muted"> ({formatCount(line.returned)} back)</span>
              )}
            </>
          ),
        },
        {
          header: "Back",
          cell: (line) =>
            canReturn && line.picked > line.returned ? (
              <TakeBack line={line} run={run} />
            ) : (
              <span className="text-muted">–</span>
            ),
        },
      ]}
    />
  );
}

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

function TakeBack({ line, run }: { line: OrderLine; run: (act: OrderAct) => void }) {
  const most = line.picked - line.returned;
  const [pieces, setPieces] = useState(String(most));
  const count = Number(pieces);
  const isGood = Number.isInteger(count) && count >= 1 && count <= most;
  return (
    <span className="flex items-center gap-1">
      <Input
        aria-label={`Pieces of ${line.item_number} that came back`}
        value={pieces}
        inputMode="numeric"
        className="w-14"
        onChange={(event) => setPieces(event.target.value)}
      />
      <Button
        size="sm"
        once
        icon={<Undo2 aria-hidden="true" className="size-3.5" />}
        disabledReason={!isGood && `1 to ${most} pieces can come back`}
        onClick={() => run({ kind: "return", lines: [{ line_id: line.id, quantity: count }] })}
      >
        To stock
      </Button>
    </span>
  );
}
