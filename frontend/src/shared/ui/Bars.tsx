import { clsx } from "clsx";
import { Link } from "react-router-dom";

export type BarRow = {
  id: string | number;
  name: string;
  /** The value that its length shows. */
  amount: number;
  /** The text at its end. */
  text: string;
  note?: string;
  to?: string;
  tone?: "accent" | "success" | "danger";
};

const tones = { accent: "bg-accent", success: "bg-success", danger: "bg-danger" };

/**
 * A chart of horizontal bars. Names and figures are text, so that it can be read without colours.
 */
export function Bars({ label, rows }: { label: string; rows: readonly BarRow[] }) {
  const lengths = shares(rows.map((row) => row.amount));
  return (
    <ul aria-label={label} className="flex flex-col gap-2.5">
      {rows.map((row, place) => (
        <li key={row.id} className="flex flex-col gap-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
            {row.to ? (
              <Link
                to={row.to}
                className="min-w-0 max-w-full truncate hover:underline"
                title={row.name}
              >
                {row.name}
              </Link>
            ) : (
              <span className="min-w-0 max-w-full truncate" title={row.name}>
                {row.name}
              </span>
            )}
            <span className="ml-auto text-right tabular-nums">
              <span className="font-medium">{row.text}</span>
              {row.note && <span className="ml-2 text-muted text-xs">{row.note}</span>}
            </span>
          </span>
          <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-sunken">
            <span
              // A small value still has a visible bar; 0 has none.
              style={{ width: `${row.amount > 0 ? Math.max(1, (lengths[place] ?? 0) * 100) : 0}%` }}
              className={clsx("block h-full rounded-full", tones[row.tone ?? "accent"])}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Lengths of bars from 0 to 1, relative to the longest. */
export function shares(values: readonly number[]): number[] {
  const most = Math.max(0, ...values);
  return values.map((value) => (most > 0 ? Math.max(0, value) / most : 0));
}
