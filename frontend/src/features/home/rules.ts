/** What the figures of home say in words and in lengths. Pure. */
import { returnText, valueText } from "@/shared/lib/worth";
import type { BatchReturn, Health } from "./model";

export type Condition = { tone: "success" | "warning" | "danger" | "neutral"; text: string };

/** How the link to the marketplace is. */
export function marketplaceCondition(link: Health["marketplace"]): Condition {
  if (!link.has_store) return { tone: "neutral", text: "not connected" };
  if (link.state === "refused") return { tone: "danger", text: link.problem };
  if (link.state === "untested") return { tone: "warning", text: "not tried yet" };
  if (link.calls_left === 0) return { tone: "warning", text: "no calls left today" };
  return { tone: "success", text: "connected" };
}

/** The value of a full bar: the largest of all sums of sold and stock, and of all costs. */
export function scaleOf(
  batches: readonly Pick<BatchReturn, "sold" | "in_stock" | "cost">[],
): number {
  return Math.max(
    1,
    ...batches.flatMap(({ sold, in_stock, cost }) => [
      Number(sold) + Number(in_stock),
      Number(cost),
    ]),
  );
}

/** Whether the sales of a batch have paid for it, in a word or two. */
export function verdictOn(
  batch: Pick<BatchReturn, "sold" | "cost" | "paid_back">,
  currency: string,
): { isGood: boolean; text: string } {
  if (batch.paid_back === null) return { isGood: false, text: "nothing sold yet" };
  if (Number(batch.paid_back) >= 1) {
    return { isGood: true, text: `paid back ${returnText(batch.paid_back)}` };
  }
  const lacking = Number(batch.cost) - Number(batch.sold);
  return { isGood: false, text: `${valueText(lacking, currency)} to go` };
}
