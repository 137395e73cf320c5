import { clsx } from "clsx";

const RADIUS = 15;
const ROUND = 2 * Math.PI * RADIUS;

/** How far a set is; "–" where its parts are not known. */
export function Ring({ percent, size = "sm" }: { percent: number | null; size?: "sm" | "md" }) {
  return (
    <span
      className={clsx(
        "relative grid shrink-0 place-items-center",
        size === "sm" ? "size-12" : "size-16",
      )}
    >
      <svg viewBox="0 0 36 36" aria-hidden="true" className="absolute inset-0 -rotate-90">
        <circle cx="18" cy="18" r={RADIUS} fill="none" strokeWidth="4" className="stroke-line" />
        <circle
          cx="18"
          cy="18"
          r={RADIUS}
          fill="none"
          strokeWidth="4"
          strokeDasharray={`${((percent ?? 0) / 100) * ROUND} ${ROUND}`}
          className="stroke-accent"
        />
      </svg>
      <span className={clsx("tabular-nums", size === "sm" ? "text-xs" : "text-sm")}>
        {percent === null ? "–" : `${percent} %`}
      </span>
    </span>
  );
}
