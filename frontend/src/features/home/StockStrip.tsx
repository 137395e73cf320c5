import { Link } from "react-router-dom";
import { formatCount } from "@/shared/lib/format";
import { paths, pathTo } from "@/shared/lib/paths";
import { valueText } from "@/shared/lib/worth";
import type { Tiles } from "./model";

/** How much there is, in one quiet line; each figure leads to its list. */
export function StockStrip({ figures, currency }: { figures: Tiles; currency: string }) {
  const cells = [
    { label: "In stock", figure: formatCount(figures.stock_pieces), to: paths.inventory },
    { label: "Lots", figure: formatCount(figures.stock_lots), to: paths.inventory },
    {
      label: "Stock value",
      figure: valueText(figures.stock_value, currency),
      to: pathTo("inventory", { ordering: "-price" }),
    },
    { label: "Open batches", figure: formatCount(figures.batches), to: paths.batches },
  ];
  return (
    <ul
      aria-label="Your stock"
      className="grid grid-cols-2 gap-x-8 gap-y-3 sm:max-[119rem]:flex sm:max-[119rem]:flex-wrap"
    >
      {cells.map((cell) => (
        <li key={cell.label}>
          <Link to={cell.to} className="group flex flex-col">
            <span className="text-muted text-xs group-hover:underline">{cell.label}</span>{" "}
            <span className="font-semibold text-2xl/8 tabular-nums tracking-tight">
              {cell.figure}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
