import { clsx } from "clsx";
import { counted } from "@/shared/lib/format";
import { firstSheet, type LabelLayout, type LabelPlan, type Spot } from "./labels";

const styles: Record<Spot["state"], string> = {
  used: "fill-sunken stroke-line",
  printed: "fill-accent-tint stroke-accent",
  free: "fill-surface stroke-line",
};
const MOST_LETTERS = 12;

/** The first sheet as it will be: a click on a position begins there. */
export function LabelSheet(props: {
  layout: LabelLayout;
  start: number;
  plan: LabelPlan | null;
  onStart: (position: number) => void;
}) {
  const { layout, start, plan, onStart } = props;
  const count = plan?.count ?? 0;
  const width = layout.width ?? layout.height * 4;
  const labelWidth = layout.label_width ?? width;
  const spots = firstSheet(layout, start, count, plan?.names ?? []);
  return (
    <figure className="flex flex-col gap-2">
      <svg
        viewBox={`-1 -1 ${width + 2} ${layout.height + 2}`}
        role="img"
        aria-label={`The first ${layout.is_roll ? "label" : "sheet"}`}
        className="max-h-80 w-full"
      >
        <rect
          width={width}
          height={layout.height}
          rx={1}
          className="fill-raised stroke-edge"
          strokeWidth={0.5}
        />
        {spots.map((spot) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the field beside it takes the same number
          <g
            key={spot.position}
            data-position={spot.position}
            onClick={() => onStart(spot.position)}
            className={clsx(!layout.is_roll && "cursor-pointer")}
          >
            <rect
              x={spot.left}
              y={spot.top}
              width={labelWidth}
              height={layout.label_height}
              rx={1.5}
              strokeWidth={0.5}
              className={styles[spot.state]}
            />
            <text
              x={spot.left + labelWidth / 2}
              y={spot.top + layout.label_height / 2}
              textAnchor="middle"
              dominantBaseline="central"
              fontSize={Math.min(layout.label_height * 0.34, labelWidth / 7)}
              className={clsx(
                "select-none",
                spot.state === "printed" ? "fill-accent-ink font-semibold" : "fill-faint",
              )}
            >
              {spot.state === "printed" && spot.name ? short(spot.name) : spot.position}
            </text>
          </g>
        ))}
      </svg>
      <figcaption role="status" className="text-center text-muted text-xs tabular-nums">
        {plan ? pagesText(layout, plan, start) : "…"}
      </figcaption>
    </figure>
  );
}

const short = (name: string) =>
  name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name;

function pagesText(layout: LabelLayout, { count, pages }: LabelPlan, start: number): string {
  const labels = counted(count, "label");
  if (layout.is_roll) return labels;
  const sheets = counted(pages, "sheet");
  const end = ((start - 1 + count - 1) % layout.per_page) + 1;
  return `${labels} on ${sheets}; the last at position ${end}`;
}
