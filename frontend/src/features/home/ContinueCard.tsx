import { ArrowRight } from "lucide-react";
import { formatAgo, formatCount } from "@/shared/lib/format";
import type { ClientState } from "@/shared/store/schema";
import { ButtonLink } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { EmptyState } from "@/shared/ui/states";
import { TypeTag } from "@/shared/ui/TypeTag";

/** Where the last sitting stopped, and the way back into it. */
export function ContinueCard({ last }: { last: ClientState["lastBatchItemAdded"] }) {
  if (!last) {
    return (
      <Card title="Continue">
        <EmptyState
          title="No item added on this device yet"
          actions={
            <ButtonLink to="/app/stow-inventory" variant="primary">
              Stow Inventory
            </ButtonLink>
          }
        >
          Once you have added items to a batch, you can go on from here.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card title="Continue" description={`Last item added ${formatAgo(last.timestamp, Date.now())}`}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <TypeTag type={last.itemType} />
          <span className="font-mono text-muted text-xs">{last.itemNumber}</span>
          <span className="font-medium">{last.itemName}</span>
          <span className="text-muted">{last.color}</span>
          <span className="tabular-nums">× {formatCount(last.quantity)}</span>
        </div>
        <p className="text-muted text-xs tabular-nums">
          {formatCount(last.totalItemsAdded)} items added to {last.batchName}
        </p>
        <div>
          <ButtonLink
            to={`/app/stow-inventory?batch=${last.batchId}`}
            variant="primary"
            icon={<ArrowRight aria-hidden="true" className="size-4" />}
          >
            Continue stowing {last.batchName}
          </ButtonLink>
        </div>
      </div>
    </Card>
  );
}
