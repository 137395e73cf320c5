/** What the figures of home say in words and in lengths. Pure. */
import { formatAgo, formatCount } from "@/shared/lib/format";
import type { Health, ToDo } from "./model";

const OPERATIONS: Record<string, string> = {
  stow: "stowed",
  remove: "removed",
  list: "listed",
  markListed: "marked as listed",
  sync: "imported",
};

/** What the rows could not be: "listed". */
export function refusedVerb(kind: string): string {
  return OPERATIONS[kind] ?? kind;
}

/** How many things there are to do. */
export function countToDo(todo: ToDo): number {
  const { planned, unpriced, old_prices, unsent, last_sync: sync } = todo;
  const single = [
    todo.orders?.to_pick,
    todo.orders?.to_pack,
    todo.orders?.to_ship,
    todo.orders?.overdue,
    planned,
    unpriced,
    old_prices,
    unsent?.lots,
    unsent?.questions,
    sync?.state === "failed",
  ].filter(Boolean).length;
  return (
    single + todo.refused.length + todo.failed_jobs.length + todo.auctions.length + todo.sets.length
  );
}

export type Condition = { tone: "success" | "warning" | "danger" | "neutral"; text: string };

/** How the link to the marketplace is. */
export function marketplaceCondition(link: Health["marketplace"]): Condition {
  if (link.state === "none") return { tone: "neutral", text: "not connected" };
  if (link.state === "refused") return { tone: "danger", text: link.problem };
  if (link.state === "untested") return { tone: "warning", text: "not tried yet" };
  const left = Math.max(0, link.calls_limit - link.calls_used);
  if (left === 0) return { tone: "warning", text: "no calls left today" };
  return { tone: "success", text: `${formatCount(left)} calls left today` };
}

const DAY = 86_400_000;
const COPY_LASTS_DAYS = 30;

/** How old the newest copy is: after a month, one more is due. */
export function copyCondition(copy: Health["last_backup"], now: number): Condition {
  if (copy === null) return { tone: "neutral", text: "none yet: there is no copy of your store" };
  const isOld = now - Date.parse(copy.at) > COPY_LASTS_DAYS * DAY;
  const what = copy.of === "everything" ? "backup" : "export of the inventory";
  return { tone: isOld ? "warning" : "success", text: `${what}, ${formatAgo(copy.at, now)}` };
}
