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

const ACTS = [
  { view: "moveRows", label: "Move…", needs: "write inventoryItems/move", icon: ArrowRightLeft },
  { view: "reprice", label: "Re-price…", needs: "write inventoryItems/reprice", icon: Tags },
  {
    view: "prices",
    label: "Get prices…",
    needs: "write marketplace/priceRun",
    icon: CircleDollarSign,
  },
  {
    view: "consolidate",
    label: "Consolidate…",
    needs: "write inventoryItems/consolidate",
    icon: Combine,
  },
  { view: "stock", label: "List…", needs: "write marketplace/listings/stock", icon: Store },
  { view: "unlist", label: "Unlist…", needs: "write marketplace/listings/unlist", icon: EyeOff },
] as const;

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
      {ACTS.map(({ view, label, needs, icon }) => (
        <Button
          key={view}
          needs={needs}
          size="sm"
          icon={icon}
          disabledReason={view === "consolidate" && count < 2 && "Choose two rows or more"}
          onClick={() => open({ view, rows: rows(), count, clear })}
        >
          {label}
        </Button>
      ))}
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
