import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Link, useSearchParams } from "react-router-dom";
import { ChannelMark, useChannels } from "@/features/marketplace/public";
import { totalOf } from "@/shared/api/envelope";
import { counted, formatAgo, formatCount, formatTotal } from "@/shared/lib/format";
import { keysOf } from "@/shared/lib/records";
import { Badge } from "@/shared/ui/Badge";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { ErrorState, Loading, Notice } from "@/shared/ui/states";
import { hasTime, type Order, type OrderState, orderedText, stateNames } from "./model";
import { orderQueries } from "./queries";
import { changed, lackingIn, SoldTwiceWord, StatusWord } from "./StatusWord";
import { useOrdersPath } from "./useOrdersPath";

const columns = {
  new: "Orders that are not paid yet",
  paid: "Nothing to pick",
  picked: "Nothing to pack",
  packed: "Nothing to ship",
} satisfies Partial<Record<OrderState, string>>;
const states = keysOf(columns);
const hasColumn = ({ state }: Order) => state in columns;

function useStore() {
  const connected = useChannels();
  const channels = connected.length > 1 ? connected : [];
  const [params, setParams] = useSearchParams();
  const store = channels.find((one) => one.marketplace === params.get("marketplace"))?.marketplace;
  return { channels, store, setParams };
}

export function StoreChoice() {
  const { channels, store, setParams } = useStore();
  const names = channels.map((one) => [one.marketplace, one.marketplace_name]);
  if (names.length === 0) return null;
  return (
    <SegmentedControl
      label="Store"
      value={store ?? ""}
      options={{ "": "All stores", ...Object.fromEntries(names) }}
      onChange={(next) => setParams(next && { marketplace: next }, { replace: true })}
    />
  );
}

/** The open orders by what they wait for, the oldest first: of all stores, or of `?marketplace=`. */
export function Board() {
  const { store } = useStore();
  const query = useQuery(orderQueries.open(store));
  if (query.isPending) return <Loading />;
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const orders = query.data.data;
  const total = totalOf(query.data);
  const others = orders.filter((order) => !hasColumn(order));
  return (
    <div className="flex flex-col gap-3">
      {total > orders.length && (
        <Notice tone="info">
          The oldest {formatCount(orders.length)} of {formatCount(total)}; the table has all.
        </Notice>
      )}
      <div
        className={clsx(
          "grid items-start gap-3 sm:grid-cols-2",
          others.length > 0 ? "xl:grid-cols-5" : "xl:grid-cols-4",
        )}
      >
        {states.map((state) => (
          <Column
            key={state}
            name={stateNames[state]}
            empty={columns[state]}
            orders={orders.filter((one) => one.state === state)}
          />
        ))}
        {others.length > 0 && <Column name="Needs a look" orders={others} />}
      </div>
    </div>
  );
}

function Column(props: { name: string; empty?: string; orders: readonly Order[] }) {
  const { name, empty, orders } = props;
  return (
    <section aria-label={name} className="rounded-card bg-sunken p-2">
      <h2 className="flex items-center justify-between px-1 pb-2 font-semibold text-sm">
        {name}
        <span className="text-muted tabular-nums">{formatCount(orders.length)}</span>
      </h2>
      {orders.length === 0 ? (
        <p className="px-1 py-3 text-muted text-sm">{empty}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {orders.map((order) => (
            <li key={order.id}>
              <OrderCard order={order} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function OrderCard({ order }: { order: Order }) {
  const path = useOrdersPath();
  return (
    <Link
      to={path({ order: order.id })}
      className="flex gap-3 rounded-control border border-line bg-surface p-3 shadow-card hover:border-edge hover:bg-hover"
    >
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className="wrap-anywhere font-medium">
            {order.number} <ChannelMark marketplace={order.marketplace} />
          </span>
          <span className="shrink-0 tabular-nums">{formatTotal(order.total, order.currency)}</span>
        </span>
        <span className="wrap-anywhere line-clamp-2 block text-sm">
          {[order.address_name || order.buyer, order.country].filter(Boolean).join(", ") ||
            "No buyer named"}
        </span>
        <span className="block text-muted text-xs">
          {counted(order.pieces, "piece")} in {counted(order.lots, "lot")},{" "}
          {hasTime(order) ? formatAgo(order.orderedAt, Date.now()) : orderedText(order)}
        </span>
        <span className="mt-1.5 flex flex-wrap gap-1 empty:hidden">
          {(order.is_status_unknown || !hasColumn(order)) && <StatusWord order={order} />}
          {order.sold_twice && <SoldTwiceWord order={order} />}
          {order.differences > 0 && changed}
          {order.lacking > 0 && lackingIn(order)}
          {order.short > 0 && <Badge tone="warning">{formatCount(order.short)} missing</Badge>}
        </span>
      </span>
      {order.tray && (
        <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-ink font-bold text-canvas text-xl">
          <span className="sr-only">Tray </span>
          {order.tray}
        </span>
      )}
    </Link>
  );
}
