/**
 * Formulas typed into number cells: `=*1.1`, `=+5`, `=-10%`, `=/2`, `=round 0.05`, `=0.5*3 up 0.1`.
 * Steps apply from left to right to the cell's number; a leading number replaces it. Exact
 * (fractions of whole numbers), rounded once at the end.
 */

import { numberText, readNumber } from "@/shared/lib/numbers";

/** A fraction; the denominator `below` is positive. */
type Fraction = { above: bigint; below: bigint };

export type Worked = { text: string } | { reason: string };

const STEP = /^\s*(?:([+\-*/×÷])\s*([\d.,]+)\s*(%?)|(round|up|down)\s+([\d.,]+))/i;
const START = /^\s*(-?[\d.,]+)/;

export const isFormula = (text: string): boolean => text.trimStart().startsWith("=");

/** Applies a formula to a number's text; the result has `places` decimals. */
export function worked(formula: string, value: string, places = 4): Worked {
  let rest = formula.trim().slice(1);
  const start = START.exec(rest);
  // "=-10%" subtracts a tenth: a leading sign begins a step, not a number.
  const replaces = start !== null && !rest.trimStart().startsWith("-");
  let number = replaces ? fraction(start[1] ?? "") : fraction(value);
  if (replaces) rest = rest.slice(start[0].length);
  if (!number) return { reason: "The cell has no number to calculate with." };
  if (!replaces && rest.trim() === "") return { reason: HOW };
  while (rest.trim() !== "") {
    const step = STEP.exec(rest);
    if (!step) return { reason: HOW };
    const [all, sign, amount, percent, rounding, to] = step;
    const typed = readNumber(amount ?? to ?? "");
    if ("problem" in typed) return { reason: typed.problem };
    const by = fraction(amount ?? to ?? "") ?? ZERO;
    const next: Fraction | string = sign
      ? reckoned(number, sign, by, percent === "%")
      : rounded(number, rounding?.toLowerCase() ?? "", by);
    if (typeof next === "string") return { reason: next };
    number = next;
    rest = rest.slice(all.length);
  }
  return { text: numberText(decimal(number, places)) };
}

const HOW = "Such as =*1.1, =+5, =-10% or =round 0.05.";
const ZERO: Fraction = { above: 0n, below: 1n };

function fraction(text: string): Fraction | null {
  const read = readNumber(text);
  const match = "value" in read && /^(-?)(\d+)(?:\.(\d+))?$/.exec(read.value);
  if (!match) return null;
  const [, sign, whole = "", part = ""] = match;
  const above = BigInt(whole + part);
  return { above: sign ? -above : above, below: 10n ** BigInt(part.length) };
}

function reckoned(a: Fraction, sign: string, b: Fraction, percent: boolean): Fraction | string {
  if (percent) {
    const share = { above: b.above, below: b.below * 100n };
    if (sign === "+" || sign === "-") return plus(a, times(a, share), sign);
    return reckoned(a, sign, share, false);
  }
  if (sign === "+" || sign === "-") return plus(a, b, sign);
  if (sign === "*" || sign === "×") return times(a, b);
  if (b.above === 0n) return "Nothing can be divided by 0.";
  return times(a, { above: b.below, below: b.above });
}

const plus = (a: Fraction, b: Fraction, sign: string): Fraction => {
  const other = b.above * a.below;
  return {
    above: a.above * b.below + (sign === "-" ? -other : other),
    below: a.below * b.below,
  };
};
const times = (a: Fraction, b: Fraction): Fraction => ({
  above: a.above * b.above,
  below: a.below * b.below,
});

/** Rounds to the nearest (halves away from zero), next or previous multiple of `to`. */
function rounded(value: Fraction, how: string, to: Fraction): Fraction | string {
  if (to.above === 0n) return "Nothing can be rounded to 0.";
  const steps = times(value, { above: to.below, below: to.above });
  const modes = { up: ceiling, down: (one: Fraction) => -ceiling(negative(one)), round: nearest };
  const whole = modes[how as keyof typeof modes](steps); // the pattern allows only these three
  return times({ above: whole, below: 1n }, to);
}

const negative = ({ above, below }: Fraction): Fraction => ({ above: -above, below });

function ceiling({ above, below }: Fraction): bigint {
  return above / below + (above > 0n && above % below !== 0n ? 1n : 0n);
}

function nearest({ above, below }: Fraction): bigint {
  const size = above < 0n ? -above : above;
  const whole = (2n * size + below) / (2n * below);
  return above < 0n ? -whole : whole;
}

function decimal(value: Fraction, places: number): string {
  const scale = 10n ** BigInt(places);
  const digits = nearest({ above: value.above * scale, below: value.below });
  const size = digits < 0n ? -digits : digits;
  const part = (size % scale).toString().padStart(places, "0").replace(/0+$/, "");
  return `${digits < 0n ? "-" : ""}${size / scale}${places > 0 && part ? `.${part}` : ""}`;
}
