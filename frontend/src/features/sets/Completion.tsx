import { clsx } from "clsx";
import { formatCount } from "@/shared/lib/format";

/** The progress of a set: on hand, available in stock, missing. Given in words too. */
export function Completion(props: {
  required: number;
  onHand: number;
  inStock?: number;
  size?: "sm" | "md";
}) {
  const { required, onHand, inStock = 0, size = "sm" } = props;
  if (required === 0) return <span className="text-muted text-xs">parts not known</span>;
  const share = (pieces: number) => `${(pieces / required) * 100}%`;
  const percent = Math.floor((onHand / required) * 100);
  const words = `${percent} %, ${formatCount(onHand)} of ${formatCount(required)} pieces on hand`;
  return (
    <span className="flex w-full min-w-0 items-center gap-2" title={words}>
      <span
        aria-hidden="true"
        className={clsx(
          "flex min-w-8 flex-1 overflow-hidden rounded-full bg-line",
          size === "sm" ? "h-1.5" : "h-2.5",
        )}
      >
        <span className="bg-accent" style={{ width: share(onHand) }} />
        <span className="bg-accent opacity-40" style={{ width: share(inStock) }} />
      </span>
      <span className="shrink-0 text-xs tabular-nums">
        {percent} %<span className="sr-only">, {words}</span>
      </span>
    </span>
  );
}
