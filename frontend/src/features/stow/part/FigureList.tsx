import { useQuery } from "@tanstack/react-query";
import type { CatalogItem } from "@/features/catalog/public";
import { formatCount } from "@/shared/lib/format";
import { KeyHint } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { LoadProblem } from "@/shared/ui/states";
import { figuresWith } from "./figures";

const SHOWN = 3;

/** While "complete minifigs" is on: the figures that contain the part on the card. */
export function FigureList(props: {
  part: CatalogItem;
  colorId: number | null;
  onOpen: (figure?: CatalogItem) => void;
}) {
  const { part, colorId, onOpen } = props;
  const query = useQuery(figuresWith(part.id, colorId));
  const figures = query.data ?? [];
  if (query.error) return <LoadProblem query={query} what="Minifigs with this part" />;
  if (figures.length === 0) return null;
  return (
    <section
      aria-label="Complete minifigs"
      className="flex flex-col gap-1 border-line border-t pt-3"
    >
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-medium text-muted text-xs">Minifigs with this part</h3>
        <Button size="sm" aria-keyshortcuts="M" onClick={() => onOpen()}>
          All {formatCount(figures.length)} <KeyHint>M</KeyHint>
        </Button>
      </div>
      <ul className="-mx-2 flex flex-col">
        {figures.slice(0, SHOWN).map((figure) => (
          <li key={figure.id}>
            <button
              type="button"
              onClick={() => onOpen(figure)}
              className="flex w-full items-baseline gap-3 rounded-control px-2 py-1.5 text-left hover:bg-hover pointer-coarse:py-2.5"
            >
              <span className="shrink-0 font-semibold tabular-nums">{figure.item_number}</span>
              <span className="min-w-0 flex-1 truncate text-sm">{figure.item_name}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
