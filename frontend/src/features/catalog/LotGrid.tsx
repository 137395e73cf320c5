import { clsx } from "clsx";
import { formatCount, formatMoney } from "@/shared/lib/format";
import { Badge, ColorSwatch } from "@/shared/ui/Badge";
import type { CatalogLot, PriceCondition, PriceFigure, PriceMeasure, PriceRegion } from "./model";

/** What the person has of a lot, summed for its row. */
export type OwnedLot = { pieces: number; places: string[] };

const measures: readonly [measure: PriceMeasure, header: string, meaning: string][] = [
  ["avg_sold_price", "Sold", "average price sold"],
  ["avg_inventory_price", "Asked", "average price asked"],
  ["low_price", "Lowest", "lowest price asked"],
  ["sell_through", "Sell-through", "pieces sold for each one offered"],
];

const head =
  "sticky top-0 z-sticky whitespace-nowrap border-line border-b bg-surface px-3 py-2 font-medium text-muted text-xs";
const cell = "border-line border-b px-3 py-1.5";

/** The colours of an item: swatch and name, what the person has where, and the price figures. */
export function LotGrid(props: {
  lots: readonly CatalogLot[];
  owned: ReadonlyMap<number, OwnedLot>;
  chosen: number | null;
  condition: PriceCondition;
  region: PriceRegion;
  currency?: string;
  onChoose: (lot: CatalogLot) => void;
}) {
  const { lots, owned, chosen, condition, region, currency, onChoose } = props;
  const figure = (lot: CatalogLot, measure: PriceMeasure) =>
    lot[`${condition}_${region}_${measure}` satisfies PriceFigure];
  // Columns of dashes say less than one line that tells why there are none.
  const shown = measures.filter(([measure]) => lots.some((lot) => figure(lot, measure) !== null));
  const hasReference = lots.some((lot) => lot.reference_price !== null);
  return (
    <table aria-label="Colours" className="w-full border-separate border-spacing-0">
      <thead>
        <tr>
          <th scope="col" className={clsx(head, "w-8")}>
            <span className="sr-only">Chosen</span>
          </th>
          <th scope="col" className={clsx(head, "text-left")}>
            Colour
          </th>
          <th scope="col" className={clsx(head, "text-left")}>
            You own
          </th>
          {shown.map(([measure, header, meaning]) => (
            <th
              key={measure}
              scope="col"
              title={meaning}
              className={clsx(head, "text-right max-md:hidden")}
            >
              {header}
            </th>
          ))}
          {hasReference && (
            <th scope="col" className={clsx(head, "text-right")}>
              Reference
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {lots.map((lot) => (
          <tr
            key={lot.id}
            onClick={() => onChoose(lot)}
            className={clsx(
              "cursor-pointer",
              lot.id === chosen ? "bg-accent-tint" : "hover:bg-hover",
            )}
          >
            <td className={cell}>
              <input
                type="radio"
                name="lot"
                aria-label={lot.color_name}
                checked={lot.id === chosen}
                onChange={() => onChoose(lot)}
                className="size-4 accent-(--accent)"
              />
            </td>
            <td className={cell}>
              <span className="flex items-center gap-2.5">
                <ColorSwatch html={lot.color_html} size="lg" />
                <span className="font-medium">{lot.color_name}</span>
                {!lot.is_known && <Badge tone="warning">not in the catalogue</Badge>}
              </span>
            </td>
            <td className={cell}>
              <OwnedText owned={owned.get(lot.id)} />
            </td>
            {shown.map(([measure]) => (
              <td key={measure} className={clsx(cell, "text-right tabular-nums max-md:hidden")}>
                {measure === "sell_through"
                  ? (figure(lot, measure)?.replace(/\.?0+$/, "") ?? "–")
                  : formatMoney(figure(lot, measure), currency)}
              </td>
            ))}
            {hasReference && (
              <td className={clsx(cell, "text-right font-medium tabular-nums")}>
                {formatMoney(lot.reference_price, currency)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Places named before "and 2 more". */
const NAMED = 3;

function OwnedText({ owned }: { owned: OwnedLot | undefined }) {
  if (!owned || owned.pieces === 0) return <span className="text-muted">–</span>;
  const { pieces, places } = owned;
  const more = places.length - NAMED;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone="success">{formatCount(pieces)}</Badge>
      <span className="text-muted">
        {places.slice(0, NAMED).join(", ")}
        {more > 0 && ` and ${more} more`}
      </span>
    </span>
  );
}
