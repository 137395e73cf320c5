import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, History } from "lucide-react";
import { formatCount, formatDateTime } from "@/shared/lib/format";
import { byWhom } from "@/shared/lib/whoDidIt";
import { Badge } from "@/shared/ui/Badge";
import { PagedDrawer } from "@/shared/ui/PagedDrawer";
import { RefusedRows } from "@/shared/ui/RefusedRows";
import { EmptyState } from "@/shared/ui/states";
import { useLost } from "./lost";
import type { Operation } from "./model";
import { countWords, operationName } from "./operations";
import { batchQueries } from "./queries";

/** What was done to a batch's items, newest first, and how each operation ended. */
export function OperationsLog({ batchId, onClose }: { batchId: number; onClose: () => void }) {
  const log = useInfiniteQuery(batchQueries.operations(batchId));
  const lost = useLost(batchId);
  const draw = (operations: Operation[]) => (
    <ol className="flex flex-col gap-3">
      {lost.map((each) => (
        <LostEntry key={`${each.at} ${each.kind}`} {...each} />
      ))}
      {operations.map((operation) => (
        <Entry key={operation.id} operation={operation} />
      ))}
    </ol>
  );
  return (
    <PagedDrawer
      onClose={onClose}
      title="Operations"
      description="What was done to this batch."
      list={log}
      empty={
        lost.length > 0 ? (
          draw([])
        ) : (
          <EmptyState icon={History} title="Nothing yet">
            Changes to its lots appear here, with any errors.
          </EmptyState>
        )
      }
    >
      {draw}
    </PagedDrawer>
  );
}

/** More refused items than these are shown on demand. */
const SHOWN_AT_ONCE = 5;

function Title({ kind, outcome }: Pick<Operation, "kind" | "outcome">) {
  return (
    <p className="flex items-center gap-2 font-medium">
      {operationName(kind)}
      <Badge tone={outcome === "success" ? "success" : "danger"}>{outcome}</Badge>
    </p>
  );
}

function LostEntry({ kind, at, message }: ReturnType<typeof useLost>[number]) {
  return (
    <li className="flex items-start gap-2.5 rounded-card border border-line p-3">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0 flex-1">
        <Title kind={kind} outcome="error" />
        <p>{message}</p>
        <p className="mt-0.5 text-muted text-xs">
          {formatDateTime(new Date(at).toISOString())} · started in this browser, result unknown
        </p>
      </div>
    </li>
  );
}

function Entry({ operation }: { operation: Operation }) {
  const { kind, outcome, item_count, failed_count, failed, items, message } = operation;
  const who = byWhom(operation);
  const good = outcome === "success";
  const Icon = good ? CircleCheck : CircleAlert;
  return (
    <li className="rounded-card border border-line p-3">
      <div className="flex items-start gap-2.5">
        <Icon
          aria-hidden="true"
          className={`mt-0.5 size-4 shrink-0 ${good ? "text-success" : "text-danger"}`}
        />
        <div className="min-w-0 flex-1">
          <Title kind={kind} outcome={outcome} />
          <p>{countWords(kind, item_count, failed_count)}</p>
          {message && <p className="text-muted text-xs">{message}</p>}
          <p className="mt-0.5 text-muted text-xs">
            {formatDateTime(operation.createdAt)}
            {who && ` · ${who}`}
          </p>
        </div>
      </div>
      {items.length > 0 && (
        <details className="mt-2" open={items.length <= SHOWN_AT_ONCE}>
          <summary className="text-accent-ink text-xs">Show the items</summary>
          <ul className="mt-2 text-muted text-xs">
            {items.map((item) => (
              <li key={item.id}>
                {item.name} <span className="tabular-nums">({item.id})</span>
              </li>
            ))}
          </ul>
          {items.length < item_count && (
            <p className="mt-2 text-muted text-xs">
              The first {formatCount(items.length)} are shown.
            </p>
          )}
        </details>
      )}
      {failed.length > 0 && (
        <details className="mt-2" open={failed.length <= SHOWN_AT_ONCE}>
          <summary className="text-accent-ink text-xs">Show the refused items</summary>
          <div className="mt-2">
            <RefusedRows caption="Refused items" rows={failed} total={failed_count} />
          </div>
        </details>
      )}
    </li>
  );
}
