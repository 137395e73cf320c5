import type { Schema } from "@/shared/api/wire";
import { formatDateTime, formatDay } from "@/shared/lib/format";
import type { Tone } from "@/shared/ui/Badge";

export type Order = Schema<"OrderRow">;
export type OrderLine = Schema<"OrderLineRow">;
export type OrderState = Order["state"];
export type Stop = Schema<"StopRow">;
export type ShortReason = NonNullable<Schema<"PickWriteRequest">["reason"]>;

/** What an order waits for, as people say it. */
export const stateNames: Record<OrderState, string> = {
  new: "New",
  paid: "To pick",
  picked: "To pack",
  packed: "To ship",
  shipped: "Shipped",
  done: "Done",
  cancelled: "Cancelled",
  problem: "Problem",
};

export const stateTones: Record<OrderState, Tone> = {
  new: "neutral",
  paid: "accent",
  picked: "info",
  packed: "info",
  shipped: "success",
  done: "success",
  cancelled: "neutral",
  problem: "danger",
};

export const channelNames: Record<Order["channel"], string> = {
  store: "Store",
  file: "File",
  hand: "By hand",
};

export const shortReasons: readonly { value: ShortReason; label: string }[] = [
  { value: "not_found", label: "Not found" },
  { value: "damaged", label: "Damaged" },
  { value: "too_few", label: "Too few" },
];

/** Whether the instant is known at which it was placed. */
export const hasTime = (order: Pick<Order, "orderedOn" | "is_dated">): boolean =>
  order.is_dated && !order.orderedOn;

/** When it was placed: a day where no time is known. */
export const orderedText = (order: Order): string => {
  if (hasTime(order)) return formatDateTime(order.orderedAt);
  return order.orderedOn ? formatDay(order.orderedOn) : "No date";
};

/** Whether pieces of it can be picked now. */
export const isPickable = (order: Order): boolean =>
  (order.state === "new" || order.state === "paid") && order.to_pick > 0;

/** What of the order's money was not given back yet. */
export const refundable = (order: Order): number =>
  Math.round(
    (Math.max(Number(order.total), Number(order.subtotal)) - Number(order.refunded)) * 10_000,
  ) / 10_000;

/** What the buyer paid for pieces that are missing and was not given back yet. */
export function missingWorth(order: Order, lines: readonly OrderLine[]): number {
  const worth = lines.reduce((sum, { short, price }) => sum + short * Number(price), 0);
  const open = Math.round((worth - Number(order.refunded)) * 10_000) / 10_000;
  return Math.max(Math.min(open, refundable(order)), 0);
}

/** Whether it was sent, so that what comes back is a return. */
export const isSent = (order: Order): boolean =>
  order.state === "shipped" || order.state === "done";
