import { clsx } from "clsx";
import {
  Archive,
  Boxes,
  CircleAlert,
  Coins,
  MapPin,
  PackageOpen,
  Shuffle,
  Tag,
} from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatCount } from "@/shared/lib/format";
import { leftOutText, valueText } from "@/shared/lib/worth";
import { clientStore } from "@/shared/store/clientStore";
import type { Tiles as Figures } from "./model";

type Tile = {
  id: string;
  label: string;
  figure: string;
  note: string;
  to: string;
  icon: ReactNode;
  warns?: boolean;
  /** What the list must show besides. */
  before?: () => void;
};

const icon = "size-4 shrink-0";
const plural = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

function tilesOf(of: Figures, currency: string): Tile[] {
  return [
    {
      id: "stock",
      label: "In stock",
      figure: formatCount(of.stock_pieces),
      note: plural(of.stock_lots, "lot"),
      to: "/app/inventory",
      icon: <PackageOpen aria-hidden="true" className={icon} />,
    },
    {
      id: "value",
      label: "Stock value",
      figure: valueText(of.stock_value, currency),
      note: of.lots_without_price ? leftOutText(of.lots_without_price).slice(2) : "at your prices",
      to: "/app/reports",
      icon: <Coins aria-hidden="true" className={icon} />,
    },
    {
      id: "new",
      label: "To stow",
      figure: formatCount(of.new_pieces),
      note: `${plural(of.new_lots, "lot")} in ${plural(of.batches_with_new, "batch", "batches")}`,
      to: "/app/batches?status_id=1",
      icon: <Boxes aria-hidden="true" className={icon} />,
    },
    {
      id: "stowed",
      label: "Stowed, not listed",
      figure: formatCount(of.stowed_pieces),
      note: plural(of.stowed_lots, "lot"),
      to: "/app/batches?status_id=3",
      icon: <Archive aria-hidden="true" className={icon} />,
    },
    {
      id: "listed",
      label: "Listed this week",
      figure: formatCount(of.listed_pieces),
      note: plural(of.listed_lots, "lot"),
      to: "/app/batches?status_id=4",
      icon: <Tag aria-hidden="true" className={icon} />,
    },
    {
      id: "batches",
      label: "Open batches",
      figure: formatCount(of.batches),
      note: `${formatCount(of.batches_with_new)} with parts to stow`,
      to: "/app/batches",
      icon: <Boxes aria-hidden="true" className={icon} />,
    },
    {
      id: "bins",
      label: "Locations",
      figure: formatCount(of.locations),
      note: `${formatCount(of.locations_nearly_full)} nearly full`,
      to: "/app/inventory-locations",
      icon: <MapPin aria-hidden="true" className={icon} />,
      warns: of.locations_nearly_full > 0,
    },
    {
      id: "spread",
      label: "In several places",
      figure: formatCount(of.spread_lots),
      note: "lots to consolidate",
      to: "/app/inventory",
      before: () => clientStore.set("options.showUnconsolidated", true),
      icon: <Shuffle aria-hidden="true" className={icon} />,
    },
    ...(of.failed_jobs > 0
      ? [
          {
            id: "failed",
            label: "Failed",
            figure: formatCount(of.failed_jobs),
            note: "exports, imports, updates",
            to: "/app/home#to-do",
            icon: <CircleAlert aria-hidden="true" className={icon} />,
            warns: true,
          },
        ]
      : []),
  ];
}

/** How much there is of what; each leads to its list. */
export function Tiles({ figures, currency }: { figures: Figures; currency: string }) {
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {tilesOf(figures, currency).map((tile) => (
        <li key={tile.id} className="grid min-w-0">
          <Link
            to={tile.to}
            onClick={tile.before}
            className="flex min-w-0 flex-col gap-0.5 rounded-card border border-line bg-surface px-4 py-3 shadow-card hover:border-edge"
          >
            <span className="flex items-center gap-1.5 text-muted text-xs">
              {tile.icon}
              <span className="truncate">{tile.label}</span>
            </span>{" "}
            <span className="truncate font-semibold text-xl tabular-nums tracking-tight sm:text-2xl">
              {tile.figure}
            </span>{" "}
            <span className={clsx("truncate text-xs", tile.warns ? "text-warning" : "text-muted")}>
              {tile.note}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
