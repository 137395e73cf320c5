import { Pencil, RotateCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { counted, formatCount } from "@/shared/lib/format";
import { Button, IconButton } from "@/shared/ui/Button";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Dialog } from "@/shared/ui/Dialog";
import { RefusedRows, refusedAsText } from "@/shared/ui/RefusedRows";
import type { SimpleColumn } from "@/shared/ui/SimpleTable";
import type { Export, FailedExportItem } from "./model";

/** Opens a row to correct it: a form of the feature that owns the rows, closed by `onClose`. */
export type OpenRow = (id: number, onClose: () => void) => ReactNode;

const editColumn = (onOpen: (id: number) => void): SimpleColumn<FailedExportItem> => ({
  header: "Edit",
  cell: ({ id, name }) =>
    id !== null && (
      <IconButton size="sm" label={`Open ${name || id}`} icon={Pencil} onClick={() => onOpen(id)} />
    ),
});

/** The items that are in no file, each with its reason and, with `openRow`, to be opened. */
export function FailedRows(props: {
  caption: string;
  items: readonly FailedExportItem[];
  total?: number;
  openRow?: OpenRow | undefined;
}) {
  const { caption, items, total, openRow } = props;
  const [opened, setOpened] = useState<number | null>(null);
  return (
    <>
      <RefusedRows
        caption={caption}
        rows={items}
        total={total}
        also={openRow && [editColumn(setOpened)]}
      />
      {opened !== null && openRow?.(opened, () => setOpened(null))}
    </>
  );
}

/** The specification's failed export dialog: which items are not in the file, and why. */
export function FailedExportDialog(props: {
  result: Pick<Export, "failed" | "failed_count" | "row_count" | "file_name">;
  /** Without it nothing is offered to be tried again. */
  onRetry?: () => void;
  openRow?: OpenRow | undefined;
  onClose: () => void;
}) {
  const { result, onRetry, openRow, onClose } = props;
  const { failed, failed_count, row_count, file_name } = result;
  return (
    <Dialog
      onClose={onClose}
      title={`${counted(failed_count, "item")} could not be exported`}
      description={
        row_count > 0
          ? `The other ${row_count === 1 ? "one is" : `${formatCount(row_count)} are`} in ${file_name}.`
          : "No file was written: every lot was left out."
      }
      size="lg"
      footer={
        <>
          <CopyButton label="Copy list" text={() => refusedAsText(failed)} />
          {onRetry && (
            <Button icon={RotateCw} once onClick={onRetry}>
              Retry these
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <FailedRows
        caption="Items that could not be exported"
        items={failed}
        total={failed_count}
        openRow={openRow}
      />
    </Dialog>
  );
}
