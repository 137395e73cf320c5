import { clsx } from "clsx";
import { formatCount, formatFigure } from "@/shared/lib/format";
import { Badge, ColorSwatch } from "@/shared/ui/Badge";
import { ItemImage } from "@/shared/ui/ItemImage";
import { MarkEdges } from "./LotOptions";
import { basisNames, type LotMark, type OwnedLot } from "./lotView";
import type { CatalogLot, PriceRegion } from "./model";

/** The colours of an item as pictures: what the person has of each, and what it is worth. */
export function ColorTiles(props: {
  lots: readonly CatalogLot[];
  /** How many more there are without any figures, and a press that shows them. */
  folded: number;
  onUnfold: () => void;
  owned: ReadonlyMap<number, OwnedLot>;
  /** Of each lot; none while highlighting is off. */
  marks: ReadonlyMap<number, readonly LotMark[]>;
  chosen: number | null;
  region: PriceRegion;
  currency?: string;
  onChoose: (lot: CatalogLot) => void;
  onPrices: (lot: CatalogLot) => void;
}) {
  const { lots, folded, owned, marks, chosen, region, currency, onChoose, onPrices } = props;
  return (
    <ul
      aria-label="Colours"
      className="gap-2 p-4 max-sm:flex max-sm:overflow-x-auto sm:grid sm:grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))]"
    >
      {lots.map((lot) => (
        <li
          key={lot.id}
          className={clsx(
            "relative flex min-w-0 flex-col rounded-card border max-sm:w-28 max-sm:shrink-0",
            lot.id === chosen
              ? "border-accent outline-1 outline-accent"
              : "border-line hover:border-edge",
          )}
        >
          <label className="flex cursor-pointer flex-col gap-1 p-2 pb-0">
            <input
              type="radio"
              name="lot"
              aria-label={lot.color_name}
              checked={lot.id === chosen}
              onChange={() => onChoose(lot)}
              className="absolute top-3 left-3 z-1 size-4 accent-(--accent)"
            />
            <ItemImage
              src={lot.image_url}
              type={lot.item_type}
              name={lot.item_number}
              colorName={lot.color_name}
              colorHtml={lot.color_html}
              size="tile"
            />
            <span className="flex min-w-0 items-center gap-1.5 pt-1">
              <MarkEdges marks={marks.get(lot.id) ?? []} />
              <ColorSwatch html={lot.color_html} />
              <span title={lot.color_name} className="truncate font-medium">
                {lot.color_name}
              </span>
            </span>
            {!lot.is_known && <Badge tone="warning">not in the catalogue</Badge>}
            <OwnedLine owned={owned.get(lot.id)} />
          </label>
          <button
            type="button"
            onClick={() => onPrices(lot)}
            className="mt-auto flex flex-col rounded-b-card px-2 pt-0.5 pb-2 text-left tabular-nums outline-offset-[-2px] hover:text-accent-ink"
          >
            <span className="sr-only">Prices of {lot.color_name} </span>
            <span className="font-medium">
              {lot.reference_price === null ? (
                <span className="font-normal text-muted">no prices</span>
              ) : (
                <>
                  {formatFigure(lot.reference_price, currency)}{" "}
                  <span className="font-normal text-muted text-xs">
                    {basisNames[lot.reference_basis]}
                  </span>
                </>
              )}
            </span>
            <span className="text-muted text-xs">{soldText(lot, region)}</span>
          </button>
        </li>
      ))}
      {folded > 0 && (
        <li className="flex min-h-24 max-sm:w-28 max-sm:shrink-0">
          <button
            type="button"
            onClick={props.onUnfold}
            className="w-full rounded-card border border-line border-dashed p-2 text-muted text-sm hover:border-edge hover:text-ink"
          >
            {formatCount(folded)} more without prices
          </button>
        </li>
      )}
    </ul>
  );
}

/** What used and new ones sold for, beside each other. */
function soldText(lot: CatalogLot, region: PriceRegion): string {
  return (["used", "new"] as const)
    .flatMap((condition) => {
      const sold = lot[`${condition}_${region}_avg_sold_price`];
      return sold === null ? [] : `${condition} ${formatFigure(sold)}`;
    })
    .join(" · ");
}

function OwnedLine({ owned }: { owned: OwnedLot | undefined }) {
  if (!owned || owned.pieces === 0) return null;
  const places = owned.places.join(", ");
  return (
    <span title={places} className="truncate text-success text-xs">
      {formatCount(owned.pieces)} in {places}
    </span>
  );
}
