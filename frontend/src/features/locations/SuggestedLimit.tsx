import { counted } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { type LocationsAsked, locationQueries } from "./queries";

/** The most pieces that bins like these hold, to be taken over; nothing where too few hold any. */
export function SuggestedLimit(props: { of: LocationsAsked; onAccept: (pieces: number) => void }) {
  const data = useSideQuery(locationQueries.suggestedLimit(props.of), "the suggested limit");
  const pieces = data?.max_item_count ?? null;
  if (pieces === null) return null;
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span>
        Nine of ten of {counted(data?.learnt_from ?? 0, "filled bin")} like these hold at most{" "}
        {counted(pieces, "piece")}.
      </span>
      <Button size="sm" onClick={() => props.onAccept(pieces)}>
        Accept suggested limit
      </Button>
    </p>
  );
}
