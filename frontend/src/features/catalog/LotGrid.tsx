import { clsx } from "clsx";
import { ChartLine } from "lucide-react";
import { formatAgo, formatCount, formatDateTime, formatFigure } from "@/shared/lib/format";
import { numberText } from "@/shared/lib/numbers";
import { Badge, ColorSwatch } from "@/shared/ui/Badge";
import { IconButton } from "@/shared/ui/Button";
import { ItemImage } from "@/shared/ui/ItemImage";
import { MarkEdges } from "./LotOptions";
import { basisNames, type LotMark, type OwnedLot } from "./lotView";
import type { CatalogLot, PriceCondition, PriceFigure, PriceMeasure, PriceRegion } from "./model";

/** Figures of a condition in a region: a group of columns. */
export type FigureGroup = { condition: PriceCondition; region: PriceRegion };

const measures: readonly [measure: PriceMeasure, header: string, meaning: string][] = [
  ["avg_sold_price", "Sold", "average price sold"],
  ["avg_inventory_price", "Asked", "average price asked"],
  ["low_price", "Lowest", "lowest price asked"],
  ["sell_through", "Sell-through", "pieces sold for each one offered"],
];
const groupNames: Record<PriceCondition | PriceRegion, string> = {
  used: "Used",
  new: "New",
  global: "worldwide",
  us: "US",
};

const head =
  "sticky top-0 z-sticky whitespace-nowrap border-line border-b bg-surface px-3 py-2 font-medium text-muted text-xs";
const cell = "border-line border-b px-3 py-1.5";
const figureCell = "text-right tabular-nums max-md:hidden";

/** The colours of an item: swatch and name, what the person has where, and the price figures. */
export function LotGrid(props: {
  lots: readonly CatalogLot[];
  owned: ReadonlyMap<number, OwnedLot>;
  /** Of each lot; none while highlighting is off. */
  marks: ReadonlyMap<number, readonly LotMark[]>;
  chosen: number | null;
  groups: readonly FigureGroup[];
  currency?: string;
  onChoose: (lot: CatalogLot) => void;
  onPrices: (lot: CatalogLot) => void;
}) {
  const { lots, owned, marks, chosen, groups, currency, onChoose, onPrices } = props;
  const columns = figureColumns(lots, groups);
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
          <th
            scope="col"
            title="what we would ask, and what it rests on"
            className={clsx(head, "text-right")}
          >
            Reference
          </th>
          {columns.map(({ figure, header, group, meaning }) => (
            <th
              key={figure}
              scope="col"
              title={meaning}
              className={clsx(head, "text-right max-md:hidden")}
            >
              <span className="block font-normal">{group}</span>
              {header}
            </th>
          ))}
          <th scope="col" className={clsx(head, "text-right max-sm:hidden")}>
            Prices of
          </th>
          <th scope="col" className={clsx(head, "w-8")}>
            <span className="sr-only">Details</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {lots.map((lot) => (
          <LotRow
            key={lot.id}
            lot={lot}
            owned={owned.get(lot.id)}
            marks={marks.get(lot.id) ?? []}
            isChosen={lot.id === chosen}
            {...{ columns, currency, onChoose, onPrices }}
          />
        ))}
      </tbody>
    </table>
  );
}

function LotRow(props: {
  lot: CatalogLot;
  owned: OwnedLot | undefined;
  marks: readonly LotMark[];
  isChosen: boolean;
  columns: readonly FigureColumn[];
  currency?: string;
  onChoose: (lot: CatalogLot) => void;
  onPrices: (lot: CatalogLot) => void;
}) {
  const { lot, owned, marks, isChosen, columns, currency, onChoose, onPrices } = props;
  return (
    <tr
      onClick={() => onChoose(lot)}
      className={clsx("cursor-pointer", isChosen ? "bg-accent-tint" : "hover:bg-hover")}
    >
      <td className={cell}>
        <input
          type="radio"
          name="lot"
          aria-label={lot.color_name}
          checked={isChosen}
          onChange={() => onChoose(lot)}
          className="block size-4 accent-(--accent)"
        />
      </td>
      <td className={cell}>
        <span className="flex items-center gap-2.5">
          <MarkEdges marks={marks} />
          <ColorSwatch html={lot.color_html} size="lg" />
          <ItemImage
            src={lot.image_url}
            type={lot.item_type}
            name={lot.item_number}
            colorName={lot.color_name}
            colorHtml={lot.color_html}
          />
          <span className="font-medium md:whitespace-nowrap">{lot.color_name}</span>
          {!lot.is_known && <Badge tone="warning">not in the catalogue</Badge>}
        </span>
      </td>
      <td className={cell}>
        <OwnedText owned={owned} />
      </td>
      <td className={clsx(cell, "whitespace-nowrap text-right font-medium tabular-nums")}>
        {formatFigure(lot.reference_price, currency)}{" "}
        <span className="font-normal text-muted text-xs">{basisNames[lot.reference_basis]}</span>
      </td>
      {columns.map(({ figure, measure }) => (
        <td key={figure} className={clsx(cell, figureCell)}>
          {measure === "sell_through"
            ? numberText(lot[figure]) || "–"
            : formatFigure(lot[figure], currency)}
        </td>
      ))}
      <td
        title={formatDateTime(lot.bricklinkSyncedAt)}
        className={clsx(cell, "whitespace-nowrap text-right text-muted text-xs max-sm:hidden")}
      >
        {lot.bricklinkSyncedAt ? formatAgo(lot.bricklinkSyncedAt, Date.now()) : "never"}
      </td>
      <td className={cell}>
        <IconButton
          size="sm"
          label={`Prices of ${lot.color_name}`}
          icon={ChartLine}
          onClick={(event) => {
            event.stopPropagation();
            onPrices(lot);
          }}
        />
      </td>
    </tr>
  );
}

type FigureColumn = {
  figure: PriceFigure;
  measure: PriceMeasure;
  header: string;
  group: string;
  meaning: string;
};

/**
 * What was paid, used and new, is always there. Of the rest columns of dashes are left out: one
 * line says why there are none.
 */
function figureColumns(
  lots: readonly CatalogLot[],
  groups: readonly FigureGroup[],
): FigureColumn[] {
  const conditions = new Set(groups.map(({ condition }) => condition));
  const beside = groups
    .map(({ condition, region }) => ({ condition: otherOf(condition), region }))
    .filter(({ condition }) => !conditions.has(condition));
  return [...groups, ...beside].flatMap((each) =>
    measures.flatMap(([measure, header, meaning]) => {
      const figure = `${each.condition}_${each.region}_${measure}` satisfies PriceFigure;
      const group = `${groupNames[each.condition]}, ${groupNames[each.region]}`;
      const isTold = !beside.includes(each) && lots.some((lot) => lot[figure] !== null);
      return measure === "avg_sold_price" || isTold
        ? [{ figure, measure, header, group, meaning: `${group}: ${meaning}` }]
        : [];
    }),
  );
}

const otherOf = (condition: PriceCondition): PriceCondition =>
  condition === "used" ? "new" : "used";

/** Places named before "and 2 more". */
const NAMED = 3;

function OwnedText({ owned }: { owned: OwnedLot | undefined }) {
  if (!owned || owned.pieces === 0) return <span className="text-muted">–</span>;
  const { pieces, places } = owned;
  const more = places.length - NAMED;
  return (
    <span className="flex flex-wrap items-center gap-2 md:flex-nowrap">
      <Badge tone="success">{formatCount(pieces)}</Badge>
      <span className="text-muted md:whitespace-nowrap">
        {places.slice(0, NAMED).join(", ")}
        {more > 0 && ` and ${more} more`}
      </span>
    </span>
  );
}
