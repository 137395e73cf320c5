import { useQuery } from "@tanstack/react-query";
import { counted, formatCount } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Dialog } from "@/shared/ui/Dialog";
import { ErrorState, Loading } from "@/shared/ui/states";
import { FailedRows, type OpenRow } from "./FailedExportDialog";
import type { ExportPreview, ExportRequest } from "./model";
import { Notices } from "./Notices";
import { exportQueries } from "./queries";

/** What the file would hold, what would be left out and why, and how it would begin. */
export function PreviewDialog(props: {
  request: ExportRequest;
  openRow?: OpenRow | undefined;
  onWrite: () => void;
  onClose: () => void;
}) {
  const { request, openRow, onWrite, onClose } = props;
  const { data, error, isPending, refetch } = useQuery(exportQueries.preview(request));
  return (
    <Dialog
      onClose={onClose}
      title="Preview of the file"
      description={data && describe(data)}
      size="lg"
      footer={
        <>
          {data && <CopyButton label="Copy the sample" text={() => data.sample} />}
          <Button onClick={onClose}>Close</Button>
          <Button
            variant="primary"
            disabledReason={!data?.row_count && "There is nothing to write"}
            once
            onClick={onWrite}
          >
            Write the file
          </Button>
        </>
      }
    >
      {isPending && <Loading />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (
        <div className="flex flex-col gap-4">
          {data.failed.length > 0 && (
            <FailedRows
              caption="What would be left out"
              items={data.failed}
              openRow={
                openRow &&
                ((id, close) =>
                  openRow(id, () => {
                    close();
                    void refetch();
                  }))
              }
            />
          )}
          {data.notices.length > 0 && (
            <section className="flex flex-col gap-1">
              <h3 className="font-medium text-sm">Written in another form</h3>
              <Notices notices={data.notices} />
              {data.notice_count > data.notices.length && (
                <p className="text-muted text-xs">
                  The first {formatCount(data.notices.length)} of {formatCount(data.notice_count)}{" "}
                  are shown.
                </p>
              )}
            </section>
          )}
          <section aria-label="How it begins" className="flex flex-col gap-1">
            <h3 className="font-medium text-sm">How it begins</h3>
            <pre
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
              tabIndex={0}
              className="max-h-80 overflow-auto whitespace-pre-wrap break-all rounded-control border border-line bg-sunken p-3 text-xs"
            >
              {data.sample}
            </pre>
          </section>
        </div>
      )}
    </Dialog>
  );
}

function describe({ row_count, failed_count, listed_count, file_name }: ExportPreview): string {
  const lots = counted(row_count, "lot");
  const left = failed_count > 0 ? `, ${formatCount(failed_count)} left out` : "";
  const listed =
    listed_count > 0
      ? ` ${counted(listed_count, "is", "are")} in your store already and left out.`
      : "";
  return `${file_name}: ${lots}${left}.${listed}`;
}
