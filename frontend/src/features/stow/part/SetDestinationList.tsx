import { Puzzle } from "lucide-react";
import type { SetDestinations } from "@/features/catalog/public";
import { formatCount } from "@/shared/lib/format";
import { KeyHint } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { LoadProblem } from "@/shared/ui/states";

/** The person's sets that need this lot; S adds the piece to the first one. */
export function SetDestinationList(props: {
  destinations: SetDestinations;
  onPutAside: () => void;
}) {
  const { sets, error, tryAgain } = props.destinations;
  if (error) {
    return <LoadProblem query={{ error, refetch: tryAgain }} what="What your sets need" />;
  }
  if (sets.length === 0) return null;
  return (
    <section
      aria-label="Needed by your sets"
      className="flex flex-col gap-2 rounded-card border border-(--type-book) border-l-4 bg-(--type-book-tint) p-3"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 className="flex items-center gap-1.5 font-semibold text-sm">
          <Puzzle aria-hidden="true" className="size-4" />
          Needed by your sets
        </h2>
        <Button
          size="sm"
          aria-keyshortcuts="S"
          loading={props.destinations.puttingAside}
          onClick={props.onPutAside}
        >
          Put aside <KeyHint>S</KeyHint>
        </Button>
      </div>
      <ul className="flex flex-col gap-1">
        {sets.slice(0, 5).map((set, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a person may have a set twice
          <li key={index} className="flex items-baseline gap-2 text-sm">
            <span className="shrink-0 font-semibold tabular-nums">{set.number}</span>
            <span className="min-w-0 flex-1 truncate">{set.name}</span>
            <span className="shrink-0 tabular-nums">
              {formatCount(set.qty_on_hand)} of {formatCount(set.qty_required)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
