import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, History } from "lucide-react";
import { formatDateTime } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Drawer } from "@/shared/ui/Dialog";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import { FailedItemsTable } from "./FailedItemsDialog";
import type { Operation } from "./model";
import { countWords, operationName } from "./operations";
import { batchQueries } from "./queries";

/** What was done to a batch's items, newest first, and how each operation ended. */
export function OperationsLog({ batchId, onClose }: { batchId: number; onClose: () => void }) {
  const log = useInfiniteQuery(batchQueries.operations(batchId));
  const operations = log.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Drawer open onClose={onClose} title="Operations" description="What was done to this batch.">
      {log.error ? (
        <ErrorState error={log.error} onRetry={() => void log.refetch()} />
      ) : log.isPending ? (
        <Loading />
      ) : operations.length === 0 ? (
        <EmptyState icon={<History aria-hidden="true" className="size-5" />} title="Nothing yet">
          Stowing, removing and marking as listed is written down here, with what went wrong.
        </EmptyState>
      ) : (
        <ol className="flex flex-col gap-3">
          {operations.map((operation) => (
            <Entry key={operation.id} operation={operation} />
          ))}
        </ol>
      )}
      {log.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Older ones
          </Button>
        </div>
      )}
    </Drawer>
  );
}

function Entry({ operation }: { operation: Operation }) {
  const { kind, outcome, item_count, failed_count, failed, message, by_name } = operation;
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
          <p className="font-medium">
            {operationName(kind)}
            <span className="sr-only">: {good ? "success" : "error"}</span>
          </p>
          <p>{countWords(kind, item_count, failed_count)}</p>
          {message && <p className="text-muted text-xs">{message}</p>}
          <p className="mt-0.5 text-muted text-xs">
            {formatDateTime(operation.createdAt)}
            {by_name && ` · ${by_name}`}
          </p>
        </div>
      </div>
      {failed.length > 0 && (
        <details className="mt-2">
          <summary className="text-accent-ink text-xs">Show the refused items</summary>
          <div className="mt-2">
            <FailedItemsTable items={failed} total={failed_count} />
          </div>
        </details>
      )}
    </li>
  );
}
