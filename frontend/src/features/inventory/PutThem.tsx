import { useQuery } from "@tanstack/react-query";
import { ArrowRightLeft } from "lucide-react";
import { formatCount } from "@/shared/lib/format";
import type { TableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { useTellMissing } from "@/shared/ui/sideQuery";
import { type Shown, sumsOfRows } from "./queries";
import { chosenRows } from "./rules";
import type { StockViewProps } from "./view";

/** How the lots of the view without a bin get one: all at once, or those that are ticked. */
export function PutThem(props: { table: TableState; shown: Shown; open: StockViewProps["open"] }) {
  const { table, shown, open } = props;
  const { params } = table;
  const sums = useQuery(sumsOfRows(shown, params));
  useTellMissing(sums, "the sums of the list");
  const rows = sums.data?.rows;
  if (!rows) return null;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        size="sm"
        icon={ArrowRightLeft}
        // Until they are counted the figure is that of the filters before.
        disabledReason={sums.isPlaceholderData && "They are being counted"}
        onClick={() =>
          open({
            view: "moveRows",
            rows: chosenRows({ ids: [], allMatching: true, params }, shown),
            count: rows,
          })
        }
      >
        {rows === 1 ? "Put it into a bin…" : `Put all ${formatCount(rows)} into one bin…`}
      </Button>
      {rows > 1 && (
        <p className="text-muted text-sm">
          Or tick those that lie in one bin, then press{" "}
          <b className="font-semibold text-ink">Move…</b> below the list.
        </p>
      )}
    </div>
  );
}
