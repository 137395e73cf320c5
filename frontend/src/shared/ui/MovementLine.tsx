import { clsx } from "clsx";
import type { ReactNode } from "react";
import { formatCount, formatDateTime, signed } from "@/shared/lib/format";
import { byWhom, type Did } from "@/shared/lib/whoDidIt";

/** One line of the ledger: how many pieces came or went, why, when and by whom. */
export function MovementLine(props: {
  movement: Did & { delta: number; note: string; createdAt: string };
  /** Behind the time: what caused it. */
  cause?: ReactNode;
  /** At the end of the line: what was there afterwards. */
  balance?: number;
  children: ReactNode;
}) {
  const { movement, cause, balance, children } = props;
  const { delta, note, createdAt } = movement;
  const who = byWhom(movement);
  return (
    <li className="flex items-start gap-3 py-2.5">
      <span
        className={clsx(
          "w-16 shrink-0 text-right font-semibold tabular-nums",
          delta > 0 ? "text-success" : "text-danger",
        )}
      >
        {signed(delta)}
      </span>
      <span className="min-w-0 flex-1">
        {children}
        {note && <span className="block text-sm">“{note}”</span>}
        <span className="block text-muted text-xs">
          {formatDateTime(createdAt)}
          {who && ` · ${who}`}
          {cause}
        </span>
      </span>
      {balance !== undefined && (
        <span className="shrink-0 text-muted text-xs tabular-nums">= {formatCount(balance)}</span>
      )}
    </li>
  );
}
