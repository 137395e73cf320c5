import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { api } from "@/shared/api/client";
import { download } from "@/shared/api/download";
import { counted, formatCount, formatDateTime } from "@/shared/lib/format";
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

/** What is asked or shown of one export, over the list. */
type ExportDialog = { dialog: "leftOut" | "confirm" | "notes"; row: Export };

/** The files of earlier exports, to download again or to delete. */
export function EarlierExports(props: {
  scope: ExportScope;
  openRow?: OpenRow | undefined;
  onClose: () => void;
}) {
  const { scope, openRow, onClose } = props;
  const [opened, setOpened] = useState<ExportDialog | null>(null);
  const [page, setPage] = useState(1);
  const { data, error, isPending, refetch } = useQuery(exportQueries.earlier(scope, page));
  const total = data?.pagination?.total_items ?? 0;
  const columns: readonly SimpleColumn<Export>[] = [
    fileColumn,
    { header: "In it", cell: (row) => <InIt row={row} onOpen={setOpened} /> },
    { header: "Actions", cell: (row) => <FileActs row={row} /> },
  ];
  const close = () => setOpened(null);
  return (
    <Dialog
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
          <Button onClick={onClose}>Close</Button>
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
      {opened?.dialog === "confirm" && <ConfirmUpload result={opened.row} onClose={close} />}
      {opened?.dialog === "notes" && <NoticesDialog result={opened.row} onClose={close} />}
      {opened?.dialog === "leftOut" && (
        <FailedExportDialog result={opened.row} openRow={openRow} onClose={close} />
      )}
    </Dialog>
  );
}

const fileColumn: SimpleColumn<Export> = {
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
};

/** What is in a file, what was left out of it, and what became of it. */
function InIt({ row, onOpen }: { row: Export; onOpen: (opened: ExportDialog) => void }) {
  const opener = (dialog: ExportDialog["dialog"], label: string, of: string) => (
    <Button size="sm" variant="ghost" className="-ml-2" onClick={() => onOpen({ dialog, row })}>
      {label}
      <span className="sr-only">
        {" "}
        {of} {row.file_name}
      </span>
    </Button>
  );
  return (
    <span className="flex min-w-20 flex-col items-start sm:min-w-32">
      <span className="tabular-nums">{counted(row.row_count, "lot")}</span>
      {row.failed_count > 0 && opener("leftOut", `${formatCount(row.failed_count)} left out`, "of")}
      {row.listed_count > 0 && (
        <span className="text-muted text-xs">
          {formatCount(row.listed_count)} in your store already
        </span>
      )}
      {row.uploadedAt && (
        <span className="text-muted text-xs">Uploaded {formatDateTime(row.uploadedAt)}</span>
      )}
      {canConfirm(row) && opener("confirm", "Confirm the upload", "of")}
      {row.notices.length > 0 && opener("notes", counted(row.notices.length, "note"), "on")}
    </span>
  );
}

function FileActs({ row }: { row: Export }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: (id: number) => api.delete("exports/{id}", { path: { id } }),
    onSettled: () => invalidate(client, "exports"),
  });
  return (
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
        <span className="px-2 text-muted">{row.state === "succeeded" ? "no file" : row.state}</span>
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
  );
}
