import {
  CartesianGrid,
  ReferenceLine,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { Hint } from "./Hint";
import { axisText, type ChartDot } from "./model";

const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
/** A power of ten: "0.01", "100", "10K". */
const tick = (amount: number) => short.format(amount);

/**
 * Dots over two axes that both count in the same powers of ten, so that small amounts are as easy
 * to see as large ones; where both are equal is the diagonal. An amount below the first power
 * is on the axis. A press on a dot opens it.
 */
export function DotChart(props: {
  label: string;
  dots: readonly ChartDot[];
  /** The powers of ten from end to end: 1, 10, 100. */
  decades: readonly number[];
  names: { x: string; y: string };
  onOpen: (id: number) => void;
  className: string;
}) {
  const { decades, names, onOpen } = props;
  const [low, high] = [decades[0] ?? 1, decades.at(-1) ?? 10];
  const axis = {
    type: "number" as const,
    scale: "log" as const,
    domain: [low, high],
    ticks: [...decades],
    tickFormatter: tick,
    tick: axisText,
    tickLine: false,
    stroke: "var(--edge)",
    interval: 0,
  };
  const shown = props.dots.map((dot) => ({
    ...dot,
    x: Math.max(low, dot.x),
    y: Math.max(low, dot.y),
  }));
  const titleOf = (value: string, offset: number) => ({ value, offset, ...axisText });
  return (
    <figure aria-label={props.label}>
      <ScatterChart
        responsive
        margin={{ top: 8, right: 16, bottom: 18, left: 0 }}
        className={props.className}
      >
        <CartesianGrid stroke="var(--line)" />
        <XAxis
          {...axis}
          dataKey="x"
          label={{ ...titleOf(names.x, -8), position: "insideBottom" }}
        />
        <YAxis
          {...axis}
          dataKey="y"
          width={64}
          label={{ ...titleOf(names.y, 4), position: "insideLeft" }}
        />
        <ReferenceLine
          segment={[
            { x: low, y: low },
            { x: high, y: high },
          ]}
          stroke="var(--muted)"
          strokeWidth={1.5}
          strokeDasharray="5 4"
        />
        <Tooltip
          isAnimationActive={false}
          cursor={false}
          content={({ payload }) => {
            const dot: ChartDot | undefined = payload[0]?.payload;
            return dot ? <Hint title={dot.title} rows={dot.facts} /> : null;
          }}
        />
        {[true, false].map((isGood) => (
          <Scatter
            key={String(isGood)}
            data={shown.filter((dot) => dot.isGood === isGood)}
            isAnimationActive={false}
            onClick={({ payload }) => onOpen((payload as ChartDot).id)}
            className="cursor-pointer"
            fill={isGood ? "var(--success)" : "var(--surface)"}
            stroke={isGood ? "var(--success)" : "var(--danger)"}
            strokeWidth={2}
          />
        ))}
      </ScatterChart>
    </figure>
  );
}
