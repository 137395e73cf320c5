import { ChevronRight, CircleCheck } from "lucide-react";
import { Link } from "react-router-dom";
import { formatAgo, formatCount, formatMoney } from "@/shared/lib/format";
import { Card } from "@/shared/ui/Card";
import { EmptyState } from "@/shared/ui/states";
import type { ToDo } from "./model";
import { countToDo, refusedVerb } from "./rules";

type Entry = { id: string; text: string; note: string; to: string };

const USD = "USD";
const some = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** Buyers come first: what is overdue, then the way of an order. */
function ordersOf(orders: ToDo["orders"]): Entry[] {
  if (!orders) return [];
  const { overdue, to_pick, to_pack, to_ship, pieces_to_pick } = orders;
  const lines: (Entry & { count: number })[] = [
    {
      count: overdue,
      id: "orders-overdue",
      text: `${some(overdue, "order")} overdue`,
      note: "ordered three days ago or earlier, and not shipped",
      to: "/app/orders",
    },
    {
      count: to_pick,
      id: "orders-pick",
      text: `Pick ${some(to_pick, "order")}`,
      note: some(pieces_to_pick, "piece"),
      to: "/app/orders",
    },
    {
      count: to_pack,
      id: "orders-pack",
      text: `Pack ${some(to_pack, "order")}`,
      note: "picked, in their trays",
      to: "/app/orders?state=picked",
    },
    {
      count: to_ship,
      id: "orders-ship",
      text: `Ship ${some(to_ship, "order")}`,
      note: "packed",
      to: "/app/orders?state=packed",
    },
  ];
  return lines.filter(({ count }) => count > 0);
}

function entriesOf(todo: ToDo, currency: string, now: number): Entry[] {
  const { planned, unpriced, old_prices: old, unsent, last_sync: sync } = todo;
  return [
    ...ordersOf(todo.orders),
    ...todo.auctions.map((auction) => ({
      id: `auction-${auction.id}`,
      text: auction.title,
      note: [
        `auction ends ${formatAgo(auction.end_time, now)}`,
        auction.landed_cost === null
          ? `at ${formatMoney(auction.current_price, USD)}, shipping unknown`
          : `${formatMoney(auction.landed_cost, USD)} landed`,
        auction.landed_per_kg !== null && `${formatMoney(auction.landed_per_kg, USD)} per kg`,
      ]
        .filter(Boolean)
        .join(", "),
      to: "/app/buy-lego",
    })),
    ...todo.refused.map((one) => ({
      id: `refused-${one.batch_id}-${one.kind}`,
      text: `${some(one.failed_count, "row")} of ${one.batch_name} could not be ${refusedVerb(one.kind)}`,
      note: formatAgo(one.createdAt, now),
      to: `/app/batches?batch=${one.batch_id}`,
    })),
    ...todo.failed_jobs.map((job) => ({
      id: job.id,
      text: job.message || `${job.kind.replace(/[._]/g, " ")} failed`,
      note: `failed ${formatAgo(job.createdAt, now)}`,
      to: job.kind.startsWith("inventory.") ? "/app/inventory" : "/app/batches",
    })),
    ...(sync?.state === "failed"
      ? [
          {
            id: "sync",
            text: `The store was not synced: ${sync.reason}`,
            note: formatAgo(sync.at, now),
            to: "/app/store?tab=syncs",
          },
        ]
      : []),
    ...(unsent?.questions
      ? [
          {
            id: "questions",
            text: `${some(unsent.questions, "field")} changed here and in the store`,
            note: "choose whose value stays",
            to: "/app/store?tab=questions",
          },
        ]
      : []),
    ...(unsent?.lots
      ? [
          {
            id: "unsent",
            text: `${some(unsent.lots, "lot")} changed since the last upload`,
            note: `${formatMoney(unsent.value, currency)} of pieces; the store does not know yet`,
            to: "/app/inventory?since_sync=true&show_zero_quantity=true",
          },
        ]
      : []),
    ...(planned
      ? [
          {
            id: "planned",
            text: `${some(planned.pieces, "piece")} planned, not stowed`,
            note: `the oldest since ${formatAgo(planned.since, now)}, in ${some(planned.batches, "batch", "batches")}`,
            to: `/app/batches?batch=${planned.batch_id}`,
          },
        ]
      : []),
    ...todo.sets.map((set) => ({
      id: `set-${set.id}`,
      text: `The newest batch completes ${set.number} ${set.name}`,
      note: `${some(set.pieces, "missing piece")} in it`,
      to: `/app/userSets?set=${set.id}`,
    })),
    ...(unpriced
      ? [
          {
            id: "unpriced",
            text: `${some(unpriced.lots, "lot")} in stock without a price`,
            note: "not for sale, and not in the value of the stock",
            to: "/app/inventory?unpriced=true",
          },
        ]
      : []),
    ...(old
      ? [
          {
            id: "prices",
            text: `${some(old.lots, "price")} older than 90 days`,
            note: `of your ${formatCount(old.looked_at)} dearest lots`,
            to: "/app/inventory?ordering=-price",
          },
        ]
      : []),
  ];
}

/** What waits for the person, the most pressing first. */
export function ToDoCard({ todo, currency }: { todo: ToDo; currency: string }) {
  const entries = entriesOf(todo, currency, Date.now());
  return (
    <Card
      title="To do"
      description={entries.length > 0 ? some(countToDo(todo), "thing") : undefined}
      padded={false}
    >
      <div id="to-do" className="p-2">
        {entries.length === 0 ? (
          <EmptyState
            icon={<CircleCheck aria-hidden="true" className="size-5" />}
            title="Nothing waits for you"
          >
            Refused rows, forgotten parts, missing and old prices and ending auctions show up here.
          </EmptyState>
        ) : (
          <ul>
            {entries.map((entry) => (
              <li key={entry.id}>
                <Link
                  to={entry.to}
                  className="flex items-center gap-2 rounded-control px-2 py-2 hover:bg-hover"
                >
                  <span className="min-w-0 flex-1">
                    <span className="line-clamp-2 break-words font-medium text-sm">
                      {entry.text}
                    </span>
                    <span className="block text-muted text-xs">{entry.note}</span>
                  </span>
                  <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-faint" />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
