import { Button } from "@/shared/ui/Button";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Dialog } from "@/shared/ui/Dialog";
import { RefusedRows, refusedAsText } from "@/shared/ui/RefusedRows";
import type { FailedItem } from "./model";

/** The rows that an operation refused, each with its reason. */
export function FailedItemsDialog(props: {
  title: string;
  items: FailedItem[];
  total?: number;
  onClose: () => void;
}) {
  const { title, items, total, onClose } = props;
  return (
    <Dialog
      onClose={onClose}
      title={title}
      description="These rows stay as they were."
      size="lg"
      footer={
        <>
          <CopyButton label="Copy list" text={() => refusedAsText(items)} />
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <RefusedRows caption="Refused items" rows={items} total={total} />
    </Dialog>
  );
}
