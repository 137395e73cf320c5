import { clsx } from "clsx";
import { Check, ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import { counted, formatCount } from "@/shared/lib/format";
import { Badge } from "@/shared/ui/Badge";
import { type NextStep, nextStepOf } from "./detail/nextStep";
import type { Batch, ItemState, StateFilter } from "./model";
import { segmentsOf } from "./rules";
import { fills } from "./StateBar";

const hints: Partial<Record<NonNullable<NextStep>, { at: ItemState; text: string }>> = {
  stow: { at: "new", text: "next: put away" },
  price: { at: "stowed", text: "next: price" },
  list: { at: "stowed", text: "next: list" },
  export: { at: "stowed", text: "next: export" },
};

/**
 * The progress of a batch: its lots by state, where each choice filters the lots, and the next
 * step.
 */
export function Pipeline(props: {
  batch: Pick<Batch, "is_archived" | "stats">;
  /** Null until it is known. */
  hasStore: boolean | null;
  value: StateFilter;
  onChange: (value: StateFilter) => void;
}) {
  const { batch, value, onChange } = props;
  const { stats } = batch;
  const name = useId();
  const next = nextStepOf(batch, props.hasStore);
  const hint = next === null ? undefined : hints[next];
  const done = next === "close" || (batch.is_archived && stats.total_lots > 0);
  const step = (state: StateFilter, label: string, lots: number, items: number) => (
    <Step
      key={state}
      name={name}
      state={state}
      label={label}
      lots={lots}
      items={items}
      chosen={value === state}
      hint={hint?.at === state ? hint.text : undefined}
      onChoose={() => onChange(state)}
    />
  );
  return (
    <fieldset className="min-w-0 overflow-hidden rounded-card border border-line bg-surface shadow-card">
      <legend className="sr-only">Show items</legend>
      <div className="grid grid-cols-2 sm:grid-cols-[auto_repeat(4,minmax(0,1fr))]">
        {step("all", "All", stats.total_lots, stats.total_items)}
        {segmentsOf(stats).map(({ state, label, lots, items }) => step(state, label, lots, items))}
        <div className="relative flex flex-col gap-1 border-line border-l px-5 py-3 max-sm:hidden">
          <Arrow />
          <span className={clsx("font-medium text-sm", !done && "text-muted")}>Done</span>
          <span className="flex items-center gap-1.5 text-muted text-sm">
            {done && <Check aria-hidden="true" className="size-4 text-success" />}
            {done
              ? `${counted(stats.total_lots, "lot")} through`
              : stats.total_lots === 0
                ? "when its lots are listed"
                : `when ${stats.total_lots === 1 ? "its lot is" : `all ${formatCount(stats.total_lots)} lots are`} listed`}
          </span>
          <Stripe className={done ? "bg-success" : "bg-line"} />
        </div>
      </div>
    </fieldset>
  );
}

function Step(props: {
  name: string;
  state: StateFilter;
  label: string;
  lots: number;
  items: number;
  chosen: boolean;
  hint?: ReactNode;
  onChoose: () => void;
}) {
  const { state, lots, items, chosen, hint } = props;
  const isStep = state !== "all";
  return (
    <label
      className={clsx(
        "relative flex min-w-0 cursor-pointer flex-col gap-1 px-5 py-3 -outline-offset-2 has-focus-visible:outline-2 has-focus-visible:outline-accent",
        chosen ? "bg-accent-tint" : "hover:bg-hover",
        isStep && "border-line sm:border-l",
        state === "stowed" && "border-t sm:border-t-0",
        state === "listed" && "border-t border-l sm:border-t-0",
        state === "new" && "border-l",
      )}
    >
      <input
        type="radio"
        name={props.name}
        value={state}
        checked={chosen}
        onChange={props.onChoose}
        className="sr-only"
      />
      {isStep && state !== "new" && <Arrow />}
      <span className="flex min-h-5 items-center gap-2">
        <span className="font-medium text-sm">{props.label}</span>
        {hint && (
          <span className="hidden lg:inline-flex" aria-hidden="true">
            <Badge tone="accent">{hint}</Badge>
          </span>
        )}
      </span>
      <span className="flex items-baseline gap-2">
        <span className="font-semibold text-2xl leading-7 tabular-nums">{formatCount(lots)}</span>
        <span className="truncate text-muted text-sm tabular-nums">{counted(items, "piece")}</span>
      </span>
      <Stripe className={isStep && lots > 0 ? fills[state] : "bg-line"} />
    </label>
  );
}

const Arrow = () => (
  <span
    aria-hidden="true"
    className="absolute top-1/2 left-0 hidden size-5 -translate-x-1/2 -translate-y-1/2 items-center justify-center rounded-full border border-line bg-surface text-muted sm:flex"
  >
    <ChevronRight className="size-3" />
  </span>
);

const Stripe = ({ className }: { className: string }) => (
  <span aria-hidden="true" className={clsx("absolute inset-x-0 bottom-0 h-1", className)} />
);
