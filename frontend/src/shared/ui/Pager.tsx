import { ChevronLeft, ChevronRight } from "lucide-react";
import { formatCount } from "@/shared/lib/format";
import { IconButton } from "./Button";

/** From page to page of a list in a dialog; nothing where one page holds it all. */
export function Pager(props: { page: number; pages: number; onPage: (page: number) => void }) {
  const { page, pages, onPage } = props;
  if (pages <= 1) return null;
  return (
    <div className="mt-2 flex items-center justify-end gap-2 text-muted text-xs tabular-nums">
      <span role="status">
        Page {page} of {formatCount(pages)}
      </span>
      <IconButton
        size="sm"
        label="Previous page"
        icon={ChevronLeft}
        disabledReason={page === 1 && "This is the first page"}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        size="sm"
        label="Next page"
        icon={ChevronRight}
        disabledReason={page >= pages && "This is the last page"}
        onClick={() => onPage(page + 1)}
      />
    </div>
  );
}
