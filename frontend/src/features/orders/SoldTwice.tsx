import { Link } from "react-router-dom";
import type { Schema } from "@/shared/api/wire";
import { formatCount, formatDateTime, formatMoney } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { CopyButton } from "@/shared/ui/CopyButton";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { type LeaveOutAct, useLeaveOutPieces } from "./mutations";
import { orderQueries } from "./queries";
import { useOrdersPath } from "./useOrdersPath";

/** Pieces that this order and one at another marketplace bought: the later one gives them up. */
export function SoldTwice({ id }: { id: number }) {
  const rows = useSideQuery(orderQueries.soldTwice(id), "what was sold twice") ?? [];
  const leaveOut = useLeaveOutPieces();
  return rows.map((row) => {
    const { line_id: line, pieces, later, earlier } = row;
    const amount = formatMoney(row.amount, row.currency);
    const change = (act: LeaveOutAct) =>
      leaveOut.mutateAsync({ id: later.id, act, body: { line_id: line, pieces } });
    return (
      <Notice key={line} tone="warning" title={`Sold twice: ${formatCount(pieces)} × ${row.item}`}>
        <p>
          Order <OrderLink {...earlier} /> was first; <OrderLink {...later} /> goes without them.
        </p>
        {later.id === id && (
          <div className="mt-2 flex flex-col items-start gap-2">
            <p lang={row.language} className="wrap-anywhere max-w-prose">
              {row.message}
            </p>
            <div className="flex flex-wrap gap-2">
              <CopyButton text={() => row.message} label="Copy this message to the buyer" />
              <Button
                needs="write orders/{}/leaveOutPieces"
                loading={leaveOut.isPending}
                onClick={async () => {
                  await change("leaveOutPieces");
                  toast.success(`Order ${later.number}: left out, ${amount} to refund`, {
                    detail: "Send the money back where the order was paid.",
                    action: { label: "Undo", run: () => change("undoLeaveOutPieces") },
                  });
                }}
              >
                Leave out {formatCount(pieces)} and refund {amount}
              </Button>
            </div>
          </div>
        )}
      </Notice>
    );
  });
}

function OrderLink(order: Schema<"SoldTwiceRow">["later"]) {
  const path = useOrdersPath();
  return (
    <Link to={path({ order: order.id })} className="underline">
      {order.number} ({order.marketplace_name}, {formatDateTime(order.orderedAt)})
    </Link>
  );
}
