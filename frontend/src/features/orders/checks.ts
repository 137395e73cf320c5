/** What was checked while packing and is not stored yet. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { pathTo } from "@/shared/lib/paths";
import { outbox, useWaiting } from "@/shared/outbox/theOutbox";
import { type Unsent, wireOf } from "@/shared/outbox/unsent";
import type { Order, OrderLine } from "./model";
import { STALE_ORDERS } from "./mutations";
import { orderQueries } from "./queries";

type Check = { order: number; line: number; checked: boolean };

const CHECKS = "checks";
const checkOf = ({ about }: Unsent) => about as Check; // as put below

export function putCheck(order: Order, line: OrderLine, checked: boolean): Promise<unknown> {
  const name = `${line.item_name || line.item_number} ${line.color_name}`.trim();
  return outbox.post([
    {
      ...wireOf("post", "orders/{id}/check", {
        path: { id: order.id },
        body: { line_ids: [line.id], checked },
      }),
      kind: CHECKS,
      rows: [`order ${order.id}`, `order ${order.id} line ${line.id}`],
      words: `${checked ? "Check" : "Uncheck"} ${name} of order ${order.number}`,
      to: pathTo("orders", { order: order.id }),
      stale: STALE_ORDERS,
      about: { order: order.id, line: line.id, checked } satisfies Check,
    },
  ]);
}

/** The lines as they are with what is not stored yet. A refused check is none. */
export function useCheckedLines(order: number, lines: readonly OrderLine[]): readonly OrderLine[] {
  const client = useQueryClient();
  const waiting = useWaiting(CHECKS).map(checkOf);
  // Until the lines are read again a stored check must not go.
  useEffect(
    () =>
      outbox.onOutcome(CHECKS, ({ request, data }) => {
        const { order: id, line, checked } = checkOf(request);
        if (!data) return;
        client.setQueryData(orderQueries.lines(id).queryKey, (rows) =>
          rows?.map((row) => (row.id === line ? { ...row, is_checked: checked } : row)),
        );
      }),
    [client],
  );
  const last = new Map(
    waiting.filter((one) => one.order === order).map(({ line, checked }) => [line, checked]),
  );
  return lines.map((line) => ({ ...line, is_checked: last.get(line.id) ?? line.is_checked }));
}
