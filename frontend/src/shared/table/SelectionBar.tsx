import { X } from "lucide-react";
import type { ReactNode } from "react";
import { formatCount } from "@/shared/lib/format";
import { Button, IconButton } from "@/shared/ui/Button";
import type { Selection } from "./useSelection";

export type { Selection };

/** The bar at the foot of the table while rows are selected. */
export function SelectionBar<Row>(props: {
  selection: Selection<Row>;
  total: number;
  /** The totals of the selected rows: "142 pieces". */
  sums: readonly string[];
  onAllMatching?: () => void;
  children: ReactNode;
}) {
  const { selection, total, onAllMatching } = props;
  return (
    // Always visible while the page scrolls: on a phone the table's end is far below.
    <div
      data-foot=""
      className="sticky bottom-0 z-sticky flex flex-wrap items-center gap-2 border-line border-t bg-accent-tint px-3 py-2"
    >
      <IconButton label="Clear selection" size="sm" icon={X} onClick={selection.clear} />
      <span role="status" className="mr-1 font-medium tabular-nums">
        {formatCount(selection.count)} selected
        {props.sums.map((words) => (
          <span key={words} className="ml-2 font-normal text-muted">
            {words}
          </span>
        ))}
      </span>
      {onAllMatching && !selection.allMatching && selection.count < total && (
        <Button size="sm" variant="ghost" onClick={onAllMatching}>
          Select all {formatCount(total)} matching
        </Button>
      )}
      <div className="ml-auto flex flex-wrap items-center gap-2">{props.children}</div>
    </div>
  );
}
