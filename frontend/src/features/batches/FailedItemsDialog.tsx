import { formatCount } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Dialog } from "@/shared/ui/Dialog";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import type { FailedItem } from "./model";
import { failedItemsAsText } from "./operations";

const columns: readonly SimpleColumn<FailedItem>[] = [
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

/** The rows that an operation refused, each with its reason. */
export function FailedItemsTable({ items, total }: { items: FailedItem[]; total?: number }) {
  return (
    <>
      <SimpleTable
        caption="Refused items"
        columns={columns}
        rows={items}
        getKey={(item) => item.id}
      />
      {total !== undefined && total > items.length && (
        <p className="mt-2 text-muted text-xs">The first {formatCount(items.length)} are shown.</p>
      )}
    </>
  );
}

export function FailedItemsDialog(props: {
  title: string;
  items: FailedItem[];
  total?: number;
  onClose: () => void;
}) {
  const { title, items, total, onClose } = props;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description="The other rows were done; these were not changed."
      size="lg"
      footer={
        <>
          <CopyButton label="Copy list" text={() => failedItemsAsText(items)} />
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <FailedItemsTable items={items} total={total} />
    </Dialog>
  );
}
