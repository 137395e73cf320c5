import { counted } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Dialog } from "@/shared/ui/Dialog";
import { FirstShown, wideCell } from "@/shared/ui/RefusedRows";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import type { FailedSyncItem } from "./model";

const columns: readonly SimpleColumn<FailedSyncItem>[] = [
  {
    header: "Error",
    cell: (item) => wideCell(item.error),
  },
  {
    header: "Context",
    grow: true,
    cell: (item) => wideCell(item.context),
  },
];

const failedRowsAsText = (items: readonly FailedSyncItem[]): string =>
  items.map(({ error, context }) => `${error}\t${context}`).join("\n");

/** Error and context of each. */
export function FailedRowsTable({ items }: { items: FailedSyncItem[] }) {
  return (
    <SimpleTable
      caption="Failed inventory items"
      columns={columns}
      rows={items}
      getKey={(_, index) => index}
    />
  );
}

/** The specification's failed inventory items dialog. */
export function FailedRowsDialog(props: {
  items: FailedSyncItem[];
  total: number;
  onClose: () => void;
}) {
  const { items, total, onClose } = props;
  return (
    <Dialog
      onClose={onClose}
      title={`${counted(total, "item")} failed`}
      description="These lots of the file are not in your stock. The others are."
      size="lg"
      footer={
        <>
          <CopyButton label="Copy list" text={() => failedRowsAsText(items)} />
          <Button variant="primary" onClick={onClose}>
            Back
          </Button>
        </>
      }
    >
      <FailedRowsTable items={items} />
      <FirstShown shown={items.length} total={total} />
    </Dialog>
  );
}
