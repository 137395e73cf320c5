import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { api } from "@/shared/api/client";
import { download } from "@/shared/api/download";
import { formatCount, formatDateTime } from "@/shared/lib/format";
import { invalidate } from "@/shared/lib/tags";
import { Button, IconButton } from "@/shared/ui/Button";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { Dialog } from "@/shared/ui/Dialog";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import { tellFailure } from "@/shared/ui/tellFailure";
import { ConfirmUpload } from "./ConfirmUpload";
import { FailedExportDialog, type OpenRow } from "./FailedExportDialog";
import { canConfirm, shortName } from "./kinds";
import type { Export, ExportScope } from "./model";
import { NoticesDialog } from "./Notices";
import { EARLIER_AT_ONCE, exportQueries } from "./queries";

/** The files of earlier exports, to download again or to delete. */
export function EarlierExports(props: {
  scope: ExportScope;
  openRow?: OpenRow | undefined;
  onClose: () => void;
}) {
  const { scope, openRow, onClose } = props;
  const [leftOut, setLeftOut] = useState<Export | null>(null);
  const [toConfirm, setToConfirm] = useState<Export | null>(null);
  const [noted, setNoted] = useState<Export | null>(null);
  const [page, setPage] = useState(1);
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery(exportQueries.earlier(scope, page));
  const remove = useMutation({
    mutationFn: (id: number) => api.delete("exports/{id}", { path: { id } }),
    onSettled: () => invalidate(client, "exports"),
  });
  const total = data?.pagination?.total_items ?? 0;
  const columns: readonly SimpleColumn<Export>[] = [
    {
      header: "File",
      grow: true,
      cell: (row) => (
        <span className="wrap-anywhere block min-w-28">
          {row.file_name}
          <span className="block text-muted text-xs">
            {shortName(row.kind)}, {formatDateTime(row.createdAt)}
          </span>
        </span>
      ),
    },
    {
      header: "In it",
      cell: (row) => (
        <span className="flex min-w-20 flex-col items-start sm:min-w-32">
          <span className="tabular-nums">{count(row.row_count, "lot")}</span>
          {row.failed_count > 0 && (
            <Button size="sm" variant="ghost" className="-ml-2" onClick={() => setLeftOut(row)}>
              {formatCount(row.failed_count)} left out
              <span className="sr-only"> of {row.file_name}</span>
            </Button>
          )}
          {row.listed_count > 0 && (
            <span className="text-muted text-xs">
              {formatCount(row.listed_count)} in your store already
            </span>
          )}
          {row.uploadedAt && (
            <span className="text-muted text-xs">Uploaded {formatDateTime(row.uploadedAt)}</span>
          )}
          {canConfirm(row) && (
            <Button size="sm" variant="ghost" className="-ml-2" onClick={() => setToConfirm(row)}>
              Confirm the upload
              <span className="sr-only"> of {row.file_name}</span>
            </Button>
          )}
          {row.notices.length > 0 && (
            <Button size="sm" variant="ghost" className="-ml-2" onClick={() => setNoted(row)}>
              {count(row.notices.length, "note")}
              <span className="sr-only"> on {row.file_name}</span>
            </Button>
          )}
        </span>
      ),
    },
    {
      header: "Actions",
      cell: (row) => (
        <span className="flex items-center gap-1">
          {row.file_url ? (
            <IconButton
              label={`Download ${row.file_name}`}
              icon={Download}
              once
              onClick={() => {
                download(row.file_url ?? "", row.file_name).catch(tellFailure);
              }}
            />
          ) : (
            <span className="px-2 text-muted">
              {row.state === "succeeded" ? "no file" : row.state}
            </span>
          )}
          <DestructiveButton
            size="sm"
            variant="ghost"
            action={{
              label: "Delete",
              done: `${row.file_name} was deleted.`,
              confirm: `${row.file_name} is deleted for good. A new export would hold your stock as it is then.`,
              run: () => remove.mutateAsync(row.id),
            }}
          />
        </span>
      ),
    },
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Earlier exports"
      description="Files stay until you delete them."
      size="xl"
      footer={
        <>
          {total > EARLIER_AT_ONCE && (
            <>
              <Button
                disabledReason={page === 1 && "This is the first page"}
                onClick={() => setPage(page - 1)}
              >
                Newer
              </Button>
              <Button
                disabledReason={page * EARLIER_AT_ONCE >= total && "This is the last page"}
                onClick={() => setPage(page + 1)}
              >
                Older
              </Button>
            </>
          )}
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      {isPending && <Loading />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data &&
        (data.data.length > 0 ? (
          <SimpleTable
            caption="Earlier exports"
            columns={columns}
            rows={data.data}
            getKey={(row) => row.id}
          />
        ) : (
          <EmptyState title="No exports yet">
            Each file that you export is kept here, to download again.
          </EmptyState>
        ))}
      {toConfirm && <ConfirmUpload result={toConfirm} onClose={() => setToConfirm(null)} />}
      {noted && <NoticesDialog result={noted} onClose={() => setNoted(null)} />}
      {leftOut && (
        <FailedExportDialog result={leftOut} openRow={openRow} onClose={() => setLeftOut(null)} />
      )}
    </Dialog>
  );
}

const count = (many: number, what: string) =>
  `${formatCount(many)} ${what}${many === 1 ? "" : "s"}`;
