import { clsx } from "clsx";
import {
  CartesianGrid,
  Line,
  LineChart as Lines,
  ReferenceLine,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { Hint } from "./Hint";
import { axisText, type ChartLine, type ChartPoint } from "./model";

const colors = { accent: "var(--accent)", warning: "var(--warning)" };
const dashes = "5 4";

/**
 * Lines over an axis of numbers. Pointer, touch and the arrow keys show the amounts of a point;
 * `label` says for screen readers what the lines show.
 */
export function LineChart(props: {
  label: string;
  points: readonly ChartPoint[];
  lines: readonly ChartLine[];
  /** The top end of the axis, which begins at 0. */
  top: number;
  amountText: (amount: number) => string;
  /** The two ends of the lower axis; without them there are no axes. */
  ends?: readonly [string, string];
  /** Amounts marked by a line across. */
  marks?: readonly number[];
  className: string;
}) {
  const { label, points, lines, top, amountText, ends, marks = [] } = props;
  const [first, last] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0];
  return (
    <figure className="flex flex-col gap-2" aria-label={label}>
      <Lines
        responsive
        data={[...points]}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        className={clsx("w-full", props.className)}
      >
        {ends && <CartesianGrid vertical={false} stroke="var(--line)" />}
        <XAxis
          hide={!ends}
          dataKey="x"
          type="number"
          domain={first === last ? [first - 1, last + 1] : [first, last]}
          ticks={first === last ? [first] : [first, last]}
          tickFormatter={(x: number) => ends?.[x === first ? 0 : 1] ?? ""}
          tick={<End first={first} />}
          tickLine={false}
          interval={0}
          stroke="var(--line)"
        />
        <YAxis
          hide={!ends}
          domain={[0, top]}
          ticks={[0, ...(marks.length > 0 ? marks : [top / 2]), top]}
          tickFormatter={amountText}
          tick={axisText}
          tickLine={false}
          axisLine={false}
          width="auto"
        />
        {marks.map((amount) => (
          <ReferenceLine key={amount} y={amount} stroke="var(--edge)" strokeDasharray={dashes} />
        ))}
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: "var(--edge)" }}
          content={({ payload }) => {
            const point: ChartPoint | undefined = payload[0]?.payload;
            if (!point) return null;
            const told = lines.flatMap(({ id, label: name }) => {
              const amount = point.amounts[id];
              return amount === undefined ? [] : [[name, amountText(amount)] as const];
            });
            return <Hint title={point.title} rows={told} />;
          }}
        />
        {lines.map(({ id, label: name, tone, isDashed }) => (
          <Line
            key={id}
            name={name}
            dataKey={(point: ChartPoint) => point.amounts[id] ?? null}
            type="linear"
            connectNulls
            isAnimationActive={false}
            stroke={colors[tone]}
            strokeWidth={2}
            strokeDasharray={isDashed ? dashes : undefined}
            dot={points.length <= 60 && { r: 2.5, fill: colors[tone], strokeDasharray: "none" }}
          />
        ))}
      </Lines>
      {lines.length > 1 && <Legend lines={lines} />}
    </figure>
  );
}

/** The text at an end of the lower axis, inside the drawing. */
function End(props: {
  first: number;
  x?: number | string;
  y?: number | string;
  payload?: { value: number };
  tickFormatter?: (x: number) => string;
}) {
  const { first, x, y, payload, tickFormatter } = props;
  if (!payload) return null;
  return (
    <text
      x={x}
      y={y}
      dy="0.9em"
      textAnchor={payload.value === first ? "start" : "end"}
      {...axisText}
    >
      {tickFormatter?.(payload.value)}
    </text>
  );
}

function Legend({ lines }: { lines: readonly ChartLine[] }) {
  return (
    <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
      {lines.map(({ id, label, tone, isDashed }) => (
        <span key={id} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            style={{ borderColor: colors[tone] }}
            className={clsx("w-5 border-t-2", isDashed && "border-dashed")}
          />
          {label}
        </span>
      ))}
    </figcaption>
  );
}
