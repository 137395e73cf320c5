import { Boxes, MapPin, Package, Store } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatCount } from "@/shared/lib/format";
import type { Counts } from "./queries";

const tiles: readonly { key: keyof Counts; label: string; to: string; icon: ReactNode }[] = [
  {
    key: "lots",
    label: "Lots in stock",
    to: "/app/inventory",
    icon: <Package aria-hidden="true" className="size-4" />,
  },
  {
    key: "batches",
    label: "Batches",
    to: "/app/batches",
    icon: <Boxes aria-hidden="true" className="size-4" />,
  },
  {
    key: "locations",
    label: "Locations",
    to: "/app/inventory-locations",
    icon: <MapPin aria-hidden="true" className="size-4" />,
  },
  {
    key: "sources",
    label: "Sources",
    to: "/app/sources",
    icon: <Store aria-hidden="true" className="size-4" />,
  },
];

/** How much there is of what; each leads to its list. */
export function Tiles({ counts }: { counts: Counts | undefined }) {
  return (
    <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {tiles.map((tile) => (
        <li key={tile.key}>
          <Link
            to={tile.to}
            className="flex flex-col gap-1 rounded-card border border-line bg-surface px-4 py-3 shadow-card hover:border-edge"
          >
            <span className="flex items-center gap-1.5 text-muted text-xs">
              {tile.icon}
              {tile.label}
            </span>
            <span className="min-h-8 font-semibold text-2xl tabular-nums tracking-tight">
              {counts ? formatCount(counts[tile.key]) : <span className="sr-only">Loading...</span>}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
