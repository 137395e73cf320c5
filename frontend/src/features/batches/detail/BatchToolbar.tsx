import { Check, Coins, Footprints, ScanLine, Store } from "lucide-react";
import { ExportButton } from "@/features/exports/public";
import { useHasStore } from "@/features/marketplace/public";
import { counted } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { Button, ButtonLink } from "@/shared/ui/Button";
import type { Batch } from "../model";
import { openItem } from "../parts";
import { type Dialog, wholeBatch } from "./dialog";
import { MoreMenu } from "./MoreMenu";
import { nextStepOf } from "./nextStep";
import { useArchive } from "./useArchive";

/** The next step of the batch as its one primary button, what is often done, and the rest under More. */
export function BatchToolbar(props: {
  batch: Batch;
  marking: boolean;
  onMarkListed: () => void;
  onDialog: (dialog: Dialog) => void;
}) {
  const { batch, onDialog } = props;
  const { new_lots: newLots, stowed_lots: stowedLots } = batch.stats;
  const hasStore = useHasStore();
  const next = nextStepOf(batch, hasStore);
  const archive = useArchive();
  const list = () => onDialog({ kind: "list", chosen: wholeBatch(stowedLots) });
  const exporting = (
    <ExportButton
      label="Export items"
      variant={next === "export" ? "primary" : "secondary"}
      scope={{ scope: "batch", batch_id: batch.id }}
      openRow={openItem}
      disabledReason={batch.batch_item_lot_count === 0 && "The batch is empty"}
    />
  );
  const adding = !batch.is_archived && (
    <ButtonLink
      to={pathTo("stow", { batch: batch.id })}
      icon={ScanLine}
      variant={next === "add" ? "primary" : "secondary"}
    >
      Add items
    </ButtonLink>
  );
  // The head shows the primary one last on wide screens; Tab comes to it first.
  return (
    <>
      {next === "stow" && (
        <ButtonLink
          variant="primary"
          to={pathTo("batches", { batch: batch.id, walk: 1 })}
          icon={Footprints}
          title="Goes from bin to bin, shows what belongs in each, and stows it"
        >
          Put away {counted(newLots, "lot")}
        </ButtonLink>
      )}
      {next === "price" && (
        <Button
          variant="primary"
          icon={Coins}
          onClick={() => onDialog({ kind: "act", act: "reprice", chosen: wholeBatch(stowedLots) })}
        >
          Price {counted(stowedLots, "lot")}
        </Button>
      )}
      {next === "list" && (
        <Button
          needs="write marketplace/listings"
          variant="primary"
          icon={Store}
          disabledReason={batch.isListing && "It is being listed now"}
          onClick={list}
        >
          List {counted(stowedLots, "lot")}
        </Button>
      )}
      {next === "close" && (
        <Button
          variant="primary"
          icon={Check}
          loading={archive.isPending}
          onClick={() => archive.toggle(batch)}
        >
          Close the batch
        </Button>
      )}
      {next === "add" && adding}
      <MoreMenu
        batch={batch}
        hasStore={hasStore ?? false}
        onDialog={onDialog}
        onList={next !== "list" && stowedLots > 0 ? list : null}
        marking={props.marking}
        onMarkListed={props.onMarkListed}
        onArchive={() => archive.toggle(batch)}
      />
      {next !== "export" && exporting}
      {next !== "add" && adding}
      {next === "export" && exporting}
    </>
  );
}
