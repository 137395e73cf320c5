import { clsx } from "clsx";
import type { ReactNode } from "react";
import type { Fill } from "./rules";

const words: Record<Fill["state"], string> = {
  open: "",
  nearlyFull: "nearly full",
  full: "full",
  over: "over the limit",
};
const tones: Record<Fill["state"], string> = {
  open: "bg-accent",
  nearlyFull: "bg-warning",
  full: "bg-warning",
  over: "bg-danger-solid",
};

/** How much of a limit is used: a bar with its figures, and its state in words. */
export function FillBar(props: {
  label: string;
  fill: Fill;
  /** The figures as people read them: counts or weights. */
  format: (value: number) => ReactNode;
  /** What the figure leaves out, in words; empty: nothing. */
  leftOut?: string;
  /** The same where there is little room. */
  leftOutShort?: string;
}) {
  const { label, fill, format, leftOut, leftOutShort } = props;
  const { used, limit, share, state } = fill;
  if (limit === null || share === null) {
    return (
      <span className="tabular-nums">
        {/* Nothing that is known, beside what is not, reads as if it weighed nothing. */}
        {(used > 0 || !leftOut) && format(used)}
        {leftOut && (
          <span title={leftOutShort && leftOut} className="text-muted text-xs">
            {`${used > 0 ? ", " : ""}${leftOutShort ?? leftOut}`}
          </span>
        )}
        <span className="sr-only"> {label}, no limit</span>
      </span>
    );
  }
  return (
    <span className="ml-auto flex w-40 min-w-0 max-w-full flex-col gap-1 sm:ml-0">
      <span className="flex items-baseline justify-between gap-2 text-xs tabular-nums">
        <span>
          <span className="sr-only">{label}: </span>
          {format(used)} <span className="text-muted">of {format(limit)}</span>
        </span>
        {state !== "open" && (
          <span className={state === "over" ? "text-danger" : "text-warning"}>{words[state]}</span>
        )}
      </span>
      {/* The figures above say it; the bar only draws them. */}
      <span aria-hidden="true" className="block h-1.5 overflow-hidden rounded-full bg-line">
        <span
          style={{ width: `${Math.min(1, share) * 100}%` }}
          className={clsx("block h-full rounded-full", tones[state])}
        />
      </span>
      {leftOut && (
        <span title={leftOutShort && leftOut} className="text-muted text-xs">
          {leftOutShort ?? leftOut}
        </span>
      )}
    </span>
  );
}
