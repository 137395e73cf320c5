import { ArrowRightLeft, CircleDollarSign, Combine, EyeOff, Store, Tags } from "lucide-react";
import { ExportSelected } from "@/features/exports/public";
import { may } from "@/shared/lib/role";
import type { Selection } from "@/shared/table/useSelection";
import { Button } from "@/shared/ui/Button";
import { openRow } from "../ExportStock";
import type { InventoryItem } from "../model";
import type { Shown } from "../queries";
import { chosenRows } from "../rules";
import type { StockDialog } from "../view";

/** What can be done to the rows that are chosen. */
export function BulkBar(props: {
  selection: Selection<InventoryItem>;
  shown: Shown;
  open: (opened: StockDialog) => void;
}) {
  const { selection, shown, open } = props;
  const { count, clear } = selection;
  const rows = () => chosenRows(selection, shown);
  return (
    <>
      <Button
        needs="write inventoryItems/move"
        size="sm"
        icon={ArrowRightLeft}
        onClick={() => open({ view: "moveRows", rows: rows(), count, clear })}
      >
        Move…
      </Button>
      <Button
        needs="write inventoryItems/reprice"
        size="sm"
        icon={Tags}
        onClick={() => open({ view: "reprice", rows: rows(), count, clear })}
      >
        Re-price…
      </Button>
      <Button
        needs="write marketplace/priceRun"
        size="sm"
        icon={CircleDollarSign}
        onClick={() => open({ view: "prices", rows: rows(), count, clear })}
      >
        Get prices…
      </Button>
      <Button
        needs="write inventoryItems/consolidate"
        size="sm"
        icon={Combine}
        disabledReason={count < 2 && "Choose two rows or more"}
        onClick={() => open({ view: "consolidate", rows: rows(), clear })}
      >
        Consolidate…
      </Button>
      <Button
        needs="write marketplace/listings/stock"
        size="sm"
        icon={Store}
        onClick={() => open({ view: "stock", rows: rows(), count, clear })}
      >
        List…
      </Button>
      <Button
        needs="write marketplace/listings/unlist"
        size="sm"
        icon={EyeOff}
        onClick={() => open({ view: "unlist", rows: rows(), count, clear })}
      >
        Unlist…
      </Button>
      {may("write exports") && (
        <ExportSelected
          scope={{ scope: "inventory" }}
          ids={async () => selection.ids.map(Number)}
          openRow={openRow}
          disabledReason={
            selection.allMatching && "Choose the rows themselves, or export the whole stock above"
          }
        />
      )}
    </>
  );
}
