/** What a refused call tells the person of its row. */

import { problemText } from "@/shared/lib/problem";
import { memberOf, rowsWith } from "@/shared/lib/records";
import type { Difference, Problem, Row } from "./session";

export function problemOf(error: unknown, what: Difference, row: Row): Problem {
  const code = String(memberOf(error, "code") ?? "");
  const isCapacity = code === "CAPACITY_EXCEEDED";
  const limits = isCapacity ? limitsOf(error) : [];
  const canOverride = isCapacity && limits.every(isPassable);
  return { what, code, text: problemText(error), canOverride, fits: fitting(limits, row) };
}

/** The pieces of the row that fit the limits; pieces already in the bin stay. */
function fitting(limits: readonly Limit[], row: Row): number | null {
  if (limits.length === 0) return null;
  const there = row.known?.isStowed ? row.known.quantity : 0;
  const share = Math.min(
    ...limits.map(({ limit = "", room, wanted }) =>
      COUNTED.has(limit) && Number(wanted) > 0 ? Number(room) / Number(wanted) : 0,
    ),
  );
  // Weights have four decimal places.
  return there + Math.max(0, Math.floor((row.quantity - there) * share + 1e-6));
}

/** The limits that fewer pieces would keep; the others concern each piece, or all pieces. */
const COUNTED: ReadonlySet<string> = new Set(["max_item_count", "max_total_weight"]);

type Limit = {
  limit?: string;
  room?: string | number;
  wanted?: string | number;
  can_override?: boolean;
};
type Refusal = Limit & { failed?: { limits?: Limit[] }[] };

/** The limits that caused a refusal: of one location, or of each item of an operation. */
function limitsOf(error: unknown): Limit[] {
  return rowsWith<Refusal>(memberOf(error, "data")).flatMap(
    (refusal) => refusal.failed?.flatMap(({ limits = [] }) => limits) ?? [refusal],
  );
}

const isPassable = (limit: Limit) => limit.can_override !== false;
