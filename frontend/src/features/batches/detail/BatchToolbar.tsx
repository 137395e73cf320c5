import { Boxes, Footprints, PackageCheck, ScanLine, Store, Trash2 } from "lucide-react";
import { ExportButton } from "@/features/exports/public";
import { StoreSync } from "@/features/marketplace/public";
import { counted } from "@/shared/lib/format";
import { Button, ButtonLink } from "@/shared/ui/Button";
import type { Batch } from "../model";
import { openItem } from "../parts";
import { type Dialog, wholeBatch } from "./dialog";
import { MoreMenu } from "./MoreMenu";

/** What is done with the whole batch. */
export function BatchToolbar(props: {
  batch: Batch;
  marking: boolean;
  onMarkListed: () => void;
  onDialog: (dialog: Dialog) => void;
}) {
  const { batch, onDialog } = props;
  const { new_lots: newLots, stowed_lots: stowedLots } = batch.stats;
  const readOnly = batch.is_archived;
  const closed = readOnly && "Restore the batch first";
  const lots = batch.batch_item_lot_count;
  const everything = wholeBatch(lots);
  return (
    <>
      {/* First of the row: further right the bar's open dropdowns would lie over it. */}
      <ExportButton
        label="Export items"
        scope={{ scope: "batch", batch_id: batch.id }}
        openRow={openItem}
        disabledReason={batch.batch_item_lot_count === 0 && "The batch is empty"}
      />
      <Button
        icon={<Boxes aria-hidden="true" className="size-4" />}
        disabledReason={closed || (newLots === 0 && "There are no new items to stow")}
        onClick={() => onDialog({ kind: "stow", chosen: wholeBatch(newLots) })}
      >
        Stow
      </Button>
      {newLots > 0 && !readOnly && (
        <ButtonLink
          to={`/app/batches?batch=${batch.id}&walk=1`}
          icon={<Footprints aria-hidden="true" className="size-4" />}
        >
          Walk
        </ButtonLink>
      )}
      <Button
        icon={<Store aria-hidden="true" className="size-4" />}
        disabledReason={
          closed ||
          (batch.isListing && "It is being listed") ||
          (stowedLots === 0 && "Nothing is stowed and not listed")
        }
        onClick={() => onDialog({ kind: "list", chosen: wholeBatch(stowedLots) })}
      >
        List
      </Button>
      <Button
        icon={<PackageCheck aria-hidden="true" className="size-4" />}
        loading={props.marking}
        disabledReason={closed || (stowedLots === 0 && "Nothing is stowed and not listed")}
        onClick={props.onMarkListed}
      >
        {stowedLots === 0 ? "Mark as listed" : `Mark all ${counted(stowedLots, "lot")} as listed`}
      </Button>
      <StoreSync
        batchId={batch.id}
        disabledReason={
          closed || (stowedLots + batch.stats.listed_lots === 0 && "Nothing of it is in stock yet")
        }
      />
      <Button
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        disabledReason={closed || (batch.stats.total_lots === 0 && "The batch is empty")}
        onClick={() => onDialog({ kind: "remove", chosen: everything })}
      >
        {lots === 0 ? "Remove" : `Remove all ${counted(lots, "lot")}…`}
      </Button>
      {!readOnly && (
        <ButtonLink
          to={`/app/stow-inventory?batch=${batch.id}`}
          icon={<ScanLine aria-hidden="true" className="size-4" />}
          variant="primary"
        >
          Add items
        </ButtonLink>
      )}
      <MoreMenu
        batch={batch}
        onDialog={(kind) => onDialog({ kind })}
        onAct={(act) => onDialog({ kind: "act", act, chosen: everything })}
      />
    </>
  );
}
