import { RotateCw } from "lucide-react";
import { formatCount } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Dialog } from "@/shared/ui/Dialog";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import type { Export, FailedExportItem } from "./model";

export const failedColumns: readonly SimpleColumn<FailedExportItem>[] = [
  { header: "Id", cell: (item) => <span className="text-muted tabular-nums">{item.id}</span> },
  {
    header: "Item",
    cell: (item) => <span className="block min-w-24 sm:min-w-52">{item.name}</span>,
  },
  {
    header: "Reason",
    grow: true,
    cell: (item) => <span className="block min-w-24 sm:min-w-52">{item.reason}</span>,
  },
];

/** The lines of the dialog as text, to paste elsewhere. */
export function failedAsText(items: readonly FailedExportItem[]): string {
  return items.map((item) => [item.id, item.name, item.reason].join("\t")).join("\n");
}

/** The specification's failed export dialog: which items are not in the file, and why. */
export function FailedExportDialog(props: {
  result: Pick<Export, "failed" | "failed_count" | "row_count" | "file_name">;
  onRetry: () => void;
  onClose: () => void;
}) {
  const { result, onRetry, onClose } = props;
  const { failed, failed_count, row_count, file_name } = result;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${formatCount(failed_count)} ${failed_count === 1 ? "item" : "items"} could not be exported`}
      description={
        row_count > 0
          ? `The other ${formatCount(row_count)} are in ${file_name}.`
          : "No file was written: nothing was left to write."
      }
      size="lg"
      footer={
        <>
          <CopyButton label="Copy list" text={() => failedAsText(failed)} />
          <Button icon={<RotateCw aria-hidden="true" className="size-4" />} onClick={onRetry}>
            Retry these
          </Button>
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <SimpleTable
        caption="Items that could not be exported"
        columns={failedColumns}
        rows={failed}
        getKey={(item, index) => item.id ?? `at-${index}`}
      />
      {failed_count > failed.length && (
        <p className="mt-2 text-muted text-xs">The first {formatCount(failed.length)} are shown.</p>
      )}
    </Dialog>
  );
}
