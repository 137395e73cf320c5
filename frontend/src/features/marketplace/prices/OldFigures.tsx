import { useEffect } from "react";
import { counted, formatAgo } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";

const LOOKS_EVERY_MS = 5_000;

/** How old the market figures of a re-pricing are, and whether newer ones are being fetched. */
export function OldFigures(props: {
  count: number;
  since: string | null;
  /** Of how many lots newer ones are being fetched. */
  beingFetched: number;
  areUsed: boolean;
  onLookAgain: () => void;
  onUseOld: () => void;
}) {
  const { count, since, beingFetched, areUsed, onLookAgain, onUseOld } = props;
  const isFetching = beingFetched > 0 && !areUsed;
  useEffect(() => {
    if (!isFetching) return;
    const timer = setInterval(onLookAgain, LOOKS_EVERY_MS);
    return () => clearInterval(timer);
  }, [isFetching, onLookAgain]);
  if (count === 0) return null;
  return (
    <Notice
      tone={isFetching ? "info" : "warning"}
      title={`The market figures of ${counted(count, "row")} are old`}
    >
      <p>
        {since && `The oldest are from ${formatAgo(since, Date.now())}. `}
        {isFetching
          ? `Newer ones of ${counted(beingFetched, "lot")} are being fetched, with one or two calls each.`
          : areUsed
            ? "They are used."
            : "No newer ones can be fetched now."}
      </p>
      {isFetching && (
        <div className="mt-2">
          <Button size="sm" onClick={onUseOld}>
            Use the old ones
          </Button>
        </div>
      )}
    </Notice>
  );
}
