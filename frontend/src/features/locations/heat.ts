/** Colours of the shelf map by how much is in each bin, in five steps. Pure. */
import { formatCount } from "@/shared/lib/format";
import { valueText } from "@/shared/lib/worth";
import type { MapCell } from "./model";
import { cellFill } from "./shelfMap";

export const HEATS = { fill: "How full", pieces: "Pieces", value: "Value", room: "Free room" };
export type Heat = Exclude<keyof typeof HEATS, "fill">;

/** 0 for nothing, 5 for the most. */
const STEP_NUMBERS = [0, 1, 2, 3, 4, 5] as const;
type Step = (typeof STEP_NUMBERS)[number];
/** A bin whose lots have no price is in no step of the value. */
export type HeatStep = Step | "unknown";
export type HeatMap = {
  stepOf: (cell: MapCell) => HeatStep;
  /** What it is coloured by, where there is room for it. */
  figureOf: (cell: MapCell) => string;
  legend: { step: HeatStep; words: string; count: number }[];
};

const STEPS = 5;
const stepAt = (place: number): Step => STEP_NUMBERS[Math.max(0, Math.min(STEPS, place))] ?? 0;

export function heatMap(cells: readonly MapCell[], heat: Heat): HeatMap {
  return heat === "room" ? freeRoom(cells) : amounts(cells, heat);
}

const numberOf = (amount: string | null) => (amount === null ? null : Number(amount));

/**
 * Each step has about as many bins: few bins hold most of a stock, and equal ranges would leave all
 * others in the first step.
 */
function amounts(cells: readonly MapCell[], heat: "pieces" | "value"): HeatMap {
  const amountOf = (cell: MapCell) =>
    heat === "pieces" ? cell.item_count : numberOf(cell.total_value);
  const text = heat === "pieces" ? formatCount : (amount: number) => valueText(amount);
  const sorted = cells
    .map(amountOf)
    .filter((amount) => amount !== null)
    .filter((amount) => amount > 0)
    .sort((one, other) => one - other);
  // The largest amount of each step; equal amounts are in one step.
  const tops = [
    ...new Set(
      Array.from(
        { length: STEPS },
        (_, at) => sorted[Math.ceil((sorted.length * (at + 1)) / STEPS) - 1] ?? 0,
      ),
    ),
  ];
  const stepOfAmount = (amount: number): Step =>
    amount <= 0 ? 0 : stepAt(STEPS - tops.length + 1 + tops.findIndex((top) => amount <= top));
  const stepOf = (cell: MapCell): HeatStep => {
    const amount = amountOf(cell);
    return amount === null ? "unknown" : stepOfAmount(amount);
  };
  const legend = counts(cells, stepOf).map(({ step, count }) => {
    const own = sorted.filter((amount) => stepOfAmount(amount) === step);
    const [least, most] = [text(own[0] ?? 0), text(own.at(-1) ?? 0)];
    const words = least === most ? most : `${least} to ${most}`;
    return { step, count, words: step === 0 ? "none" : step === "unknown" ? "unknown" : words };
  });
  const figureOf = (cell: MapCell) => {
    const amount = amountOf(cell);
    return amount === null || amount === 0 ? "" : text(amount);
  };
  return { stepOf, figureOf, legend };
}

/** By fifths of what fits in. A bin without limits has all its room. */
function freeRoom(cells: readonly MapCell[]): HeatMap {
  const stepOf = (cell: MapCell): Step => {
    const { state, share } = cellFill(cell);
    if (state === "full" || state === "over") return 0;
    return stepAt(Math.ceil((1 - (share ?? 0)) * STEPS));
  };
  const legend = counts(cells, stepOf).map(({ step, count }) => ({
    step,
    count,
    words:
      step === 0
        ? "none"
        : `${(step - 1) * 20} to ${step * 20} %${step === STEPS ? ", or no limit" : ""}`,
  }));
  const figureOf = (cell: MapCell) => {
    const { share } = cellFill(cell);
    return share === null ? "" : `${Math.max(0, Math.round((1 - share) * 100))} %`;
  };
  return { stepOf, figureOf, legend };
}

function counts<S extends HeatStep>(cells: readonly MapCell[], stepOf: (cell: MapCell) => S) {
  const found = new Map<S, number>();
  for (const cell of cells) {
    const step = stepOf(cell);
    found.set(step, (found.get(step) ?? 0) + 1);
  }
  return [...found]
    .map(([step, count]) => ({ step, count }))
    .sort((one, other) => orderOf(one.step) - orderOf(other.step));
}

const orderOf = (step: HeatStep) => (step === "unknown" ? -1 : step);
