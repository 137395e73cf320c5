/** What the figures of home say in words and in lengths. Pure. */
import { counted, formatCount } from "@/shared/lib/format";
import { returnText, valueText } from "@/shared/lib/worth";
import type { BatchReturn, Health, Today } from "./model";

export type Condition = { tone: "success" | "warning" | "danger" | "neutral"; text: string };

/** How the link to the marketplace is. */
export function marketplaceCondition(link: Health["marketplace"]): Condition {
  if (!link.has_store) return { tone: "neutral", text: "not connected" };
  if (link.state === "refused") return { tone: "danger", text: link.problem };
  if (link.state === "untested") return { tone: "warning", text: "not tried yet" };
  if (link.calls_left === 0) return { tone: "warning", text: "answers again tomorrow" };
  return { tone: "success", text: "connected" };
}

/** The lengths of a batch's bar in percent, where 100 is its cost: what sold, and its stock behind. */
export function barOf({ cost, sold, in_stock }: Pick<BatchReturn, "sold" | "in_stock" | "cost">): {
  sold: number;
  worth: number;
} {
  const percent = (amount: number) =>
    Number(cost) > 0 ? Math.min(100, Math.max(0, (amount / Number(cost)) * 100)) : 100;
  return { sold: percent(Number(sold)), worth: percent(Number(sold) + Number(in_stock)) };
}

export const hasPaidBack = (batch: Pick<BatchReturn, "paid_back">): boolean =>
  Number(batch.paid_back) >= 1;

/** Whether the sales of a batch have paid for it, in a word or two. */
export function verdictOn(
  batch: Pick<BatchReturn, "sold" | "cost" | "paid_back">,
  currency: string,
): { isGood: boolean; text: string } {
  if (batch.paid_back === null) return { isGood: false, text: "nothing sold yet" };
  if (hasPaidBack(batch)) {
    return { isGood: true, text: `paid back ${returnText(batch.paid_back)}` };
  }
  const lacking = Number(batch.cost) - Number(batch.sold);
  return { isGood: false, text: `${valueText(lacking, currency)} to go` };
}

/** "Today: 48 pieces sorted, 20 put away, 1 order shipped"; empty before the first act of the day. */
export function todayText({ sorted, put_away, shipped }: Today): string {
  const done = [
    sorted && `${counted(sorted, "piece")} sorted`,
    put_away && `${sorted ? formatCount(put_away) : counted(put_away, "piece")} put away`,
    shipped && `${counted(shipped, "order")} shipped`,
  ].filter(Boolean);
  return done.length ? `Today: ${done.join(", ")}` : "";
}
