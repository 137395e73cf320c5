import { ArrowRightLeft, Combine } from "lucide-react";
import { ExportSelected } from "@/features/exports/public";
import type { Selection } from "@/shared/table/useSelection";
import { Button } from "@/shared/ui/Button";
import { openRow } from "../ExportStock";
import type { ChosenRows, InventoryItem } from "../model";
import type { Shown } from "../queries";
import { chosenRows } from "../rules";

/** What can be done to the rows that are chosen. */
export function BulkBar(props: {
  selection: Selection<InventoryItem>;
  shown: Shown;
  onMove: (rows: ChosenRows, count: number, clear: () => void) => void;
  onConsolidate: (rows: ChosenRows, clear: () => void) => void;
}) {
  const { selection, shown, onMove, onConsolidate } = props;
  const { count, clear } = selection;
  return (
    <>
      <Button
        size="sm"
        icon={<ArrowRightLeft aria-hidden="true" className="size-4" />}
        onClick={() => onMove(chosenRows(selection, shown), count, clear)}
      >
        Move…
      </Button>
      <Button
        size="sm"
        icon={<Combine aria-hidden="true" className="size-4" />}
        disabledReason={count < 2 && "Choose two rows or more"}
        onClick={() => onConsolidate(chosenRows(selection, shown), clear)}
      >
        Consolidate…
      </Button>
      <ExportSelected
        scope={{ scope: "inventory" }}
        ids={async () => selection.ids.map(Number)}
        openRow={openRow}
        disabledReason={
          selection.allMatching && "Choose the rows themselves, or export the whole stock above"
        }
      />
    </>
  );
}
