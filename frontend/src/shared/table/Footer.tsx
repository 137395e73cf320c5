import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { formatCount } from "@/shared/lib/format";
import { IconButton } from "@/shared/ui/Button";
import { ChoiceField } from "@/shared/ui/Field";
import { PAGE_SIZES, type TableState } from "./tableState";

const options = [
  ...PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} per page` })),
  { value: "all", label: "All" },
];

/**
 * Page size, totals, the shown range, previous and next. Hidden while there are no rows yet: the
 * sums are asked for with them, not after them.
 */
export function Footer({
  state,
  total,
  count,
  sums,
}: {
  state: TableState;
  total: number;
  count: number;
  sums?: ReactNode;
}) {
  const { pageIndex, pageSize, setPageIndex } = state;
  const all = pageSize === "all";
  const pages = all ? 1 : Math.max(1, Math.ceil(total / pageSize));
  const first = all ? 1 : pageIndex * pageSize + 1;

  // Rows were deleted or filtered out: shows the last page that still exists.
  useEffect(() => {
    if (total > 0 && pageIndex > pages - 1) setPageIndex(pages - 1);
  }, [pageIndex, pages, total, setPageIndex]);

  return (
    <footer
      data-foot=""
      hidden={total === 0}
      className="sticky bottom-0 z-sticky flex flex-wrap items-center justify-between gap-2 rounded-b-card border-line border-t bg-surface px-3 py-2"
    >
      <ChoiceField
        label="Rows per page"
        hideLabel
        className="w-36"
        options={options}
        value={String(pageSize)}
        onChange={(value) => state.setPageSize(value === "all" ? "all" : Number(value))}
      />
      {/* On a phone a line of its own, so that the foot has two and not three. */}
      <div className="order-last w-full empty:hidden sm:order-none sm:w-auto">{sums}</div>
      <div className="ml-auto flex items-center gap-1">
        <span className="mr-2 text-muted text-xs tabular-nums">
          {all
            ? `All ${formatCount(total)}`
            : `${formatCount(first)}–${formatCount(first + count - 1)} of ${formatCount(total)}`}
        </span>
        <IconButton
          label="Previous page"
          icon={ChevronLeft}
          disabledReason={pageIndex === 0 && "This is the first page"}
          onClick={() => setPageIndex(pageIndex - 1)}
        />
        <IconButton
          label="Next page"
          icon={ChevronRight}
          disabledReason={pageIndex >= pages - 1 && "This is the last page"}
          onClick={() => setPageIndex(pageIndex + 1)}
        />
      </div>
    </footer>
  );
}
