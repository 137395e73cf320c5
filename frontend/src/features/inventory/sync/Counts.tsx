import { clsx } from "clsx";
import { formatCount } from "@/shared/lib/format";
import type { SyncCounts } from "./model";

const cells: { name: keyof SyncCounts; label: string; tone: string }[] = [
  { name: "created", label: "New", tone: "text-success" },
  { name: "joined", label: "Join a lot", tone: "text-info" },
  { name: "changed", label: "Changed", tone: "text-info" },
  { name: "uploaded", label: "Listed", tone: "text-info" },
  { name: "zeroed", label: "Set to 0", tone: "text-danger" },
  { name: "unchanged", label: "Unchanged", tone: "text-muted" },
  { name: "unknown", label: "Unknown", tone: "text-warning" },
  { name: "unreadable", label: "Unreadable", tone: "text-danger" },
];

/** The figures of an import, as a row of tiles: what is new, and what else there is. */
export function Counts({ counts }: { counts: Partial<SyncCounts> }) {
  return (
    <dl className="grid grid-cols-3 gap-2 sm:grid-cols-6">
      {cells.map(({ name, label, tone }) => {
        const count = Number(counts[name] ?? 0);
        if (count === 0 && name !== "created") return null;
        return (
          <div key={name} className="flex flex-col rounded-control bg-sunken px-3 py-2">
            <dt className="text-muted text-xs">{label}</dt>
            <dd
              className={clsx(
                "font-semibold text-lg tabular-nums leading-6",
                count > 0 ? tone : "text-muted",
              )}
            >
              {formatCount(count)}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
