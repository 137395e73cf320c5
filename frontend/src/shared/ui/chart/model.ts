/** What charts are made of. */

/** A place on the lower axis, and the amount of each line there by the line's id. */
export type ChartPoint = {
  x: number;
  title: string;
  amounts: Readonly<Record<string, number | undefined>>;
};

/** Lines differ by colour and by dash, so that they differ without colours too. */
export type ChartLine = {
  id: string;
  label: string;
  tone: "accent" | "warning";
  isDashed?: boolean;
};

export type ChartDot = {
  id: number;
  title: string;
  facts: readonly (readonly [string, string])[];
  x: number;
  y: number;
  isGood: boolean;
};

export const axisText = { fill: "var(--muted)", fontSize: 12 };
