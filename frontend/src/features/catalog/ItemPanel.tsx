import { type UseQueryResult, useIsFetching, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { marketplaceQueries } from "@/features/marketplace/public";
import { useCurrency } from "@/features/profile/public";
import { formatAgo } from "@/shared/lib/format";
import { regionNames } from "@/shared/lib/regions";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { Card } from "@/shared/ui/Card";
import { CheckField } from "@/shared/ui/Checkbox";
import { ChoiceField } from "@/shared/ui/Field";
import { usedFirst } from "@/shared/ui/Lot";
import { lazyPart } from "@/shared/ui/lazyPart";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState, ErrorState, Loading, LoadProblem } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { AddToBatch } from "./AddToBatch";
import { stockQueries } from "./adding/queries";
import { useBatchChoice } from "./adding/useBatchChoice";
import { LockedColor, LockOffer } from "./ColorLock";
import { ColorTiles } from "./ColorTiles";
import { meantColor, recentColors, useLockedColor } from "./colorHabits";
import { rankColors } from "./colorRanking";
import { ItemHead } from "./ItemHead";
import { type FigureGroup, LotGrid } from "./LotGrid";
import { HiddenLots, MarkLegend } from "./LotOptions";
import {
  type LotSort,
  lotSorts,
  marksOf,
  type OwnedLot,
  sortLots,
  viewLots,
  withFigures,
} from "./lotView";
import type { CatalogItem, CatalogLot, Owned, PriceRegion } from "./model";
import { catalogQueries, lotsInBatchQuery, lotsNeededQuery } from "./queries";
import { RefreshPrices } from "./RefreshPrices";

const LotPricesDialog = lazyPart(() => import("./LotPricesDialog").then((m) => m.LotPricesDialog));
const ItemParts = lazyPart(() => import("./ItemParts").then((m) => m.ItemParts));
const MinifigFinder = lazyPart(() => import("./MinifigFinder").then((m) => m.MinifigFinder));

const layouts = { pictures: "Pictures", figures: "Figures" };
const allGroups: readonly FigureGroup[] = (["used", "new"] as const).flatMap((condition) =>
  (["global", "us"] as const).map((region) => ({ condition, region })),
);

/** One item: what it is, its colours with figures and stock, and the way into a batch. */
export function ItemPanel({ item }: { item: CatalogItem }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const condition = useClientState("itemBeingProcessed.condition");
  const completeMinifigs = useClientState("options.completeMinifigs");
  const lots = useQuery(catalogQueries.lots(item.id, condition));
  const currency = useCurrency();
  const batches = useBatchChoice();
  const batchId = batches.batch?.id;
  const seen = useLotView(item, lots, batchId);
  const { ranked, meant } = seen;
  const only = ranked.length === 1 && !item.color_text ? ranked[0] : undefined;
  const lot =
    ranked.find((each) => each.id === chosen) ??
    ranked.find((each) => each.color_id === meant) ??
    only ??
    null;
  return (
    // The form to add it stands above the colours where they fill the screen, beside them where
    // there is room, and below them on a phone.
    <div className="flex flex-col gap-4 min-[119rem]:grid min-[119rem]:grid-cols-[minmax(0,1fr)_32rem] min-[119rem]:grid-rows-[auto_auto_1fr]">
      <div className="min-[119rem]:col-span-2">
        <ItemHead item={item} lot={lot} batchId={batchId ?? null} />
      </div>
      <div
        // Search, results and the item's links are in front of it.
        data-content=""
        tabIndex={-1}
        className="z-sticky outline-none max-lg:order-1 lg:sticky lg:top-3 min-[119rem]:static min-[119rem]:col-start-2"
      >
        <AddToBatch
          key={lot?.id ?? "none"}
          {...{ item, lot, condition, currency, batches }}
          hasColors={lots.data && ranked.length > 0}
        />
      </div>
      <Colors
        {...{ item, seen, lot, condition, currency }}
        query={lots}
        onChoose={({ id }) => setChosen(id)}
      />
      <div className="flex min-w-0 flex-col gap-4 empty:hidden max-lg:order-2">
        {completeMinifigs && item.item_type === "PART" && (
          <MinifigFinder item={item} batches={batches} condition={condition} />
        )}
        {!seen.isMoving && <ItemParts item={item} />}
      </div>
    </div>
  );
}

/** Its colours as pictures or as a table of figures. */
function Colors(props: {
  item: CatalogItem;
  query: UseQueryResult<unknown>;
  seen: ReturnType<typeof useLotView>;
  lot: CatalogLot | null;
  condition: "N" | "U";
  currency: string | undefined;
  onChoose: (lot: CatalogLot) => void;
}) {
  const { item, query: lots, lot, condition, currency, onChoose } = props;
  const { ranked, view, owned, marks, stock, isMoving } = props.seen;
  const [priced, setPriced] = useState<CatalogLot | null>(null);
  const region = useControl<PriceRegion>("global");
  const showsAll = useControl(false);
  const sort = useControl<LotSort>("mine");
  const layout = useControl<keyof typeof layouts>("pictures");
  const [unfolded, setUnfolded] = useState(false);
  const connection = useSideQuery(marketplaceQueries.connection(), "your store connection");
  const figures = { condition: condition === "N" ? "new" : "used", region: region.value } as const;
  const recent = useRecentColors(item.id);
  const hasFigures = ranked.some((each) => each.bricklinkSyncedAt !== null);
  const shown = sortLots(view.shown, sort.value, { ...figures, recent });
  const likely = useLikely(shown, (each) => each === lot || owned.has(each.id));
  const pricesOf = connection?.is_demo ? "Invented prices of the demo store" : "Prices";
  const list = { owned, marks, chosen: lot?.id ?? null, currency, onChoose, onPrices: setPriced };
  return (
    <>
      <Card
        className="min-[119rem]:col-start-1 min-[119rem]:row-span-2 min-[119rem]:row-start-2 min-[119rem]:self-start"
        title="Colours"
        description={
          hasFigures ? `${pricesOf}, ${syncedText(ranked)}.` : "No prices yet: refresh them to ask."
        }
        padded={false}
        actions={
          <span className="flex flex-wrap gap-2">
            <SegmentedControl
              label="Condition"
              value={condition}
              options={usedFirst}
              onChange={(next) => clientStore.set("itemBeingProcessed.condition", next)}
            />
            <RefreshPrices lots={view.shown} chosen={lot} />
          </span>
        }
      >
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-3">
          <LoadProblem query={stock} what="What you own of it" />
          <LockedColor />
          {lot && <LockOffer color={{ colorId: lot.color_id, name: lot.color_name }} />}
          <MarkLegend />
          <HiddenLots {...view} />
          <span className="ml-auto flex flex-wrap items-center gap-3 max-sm:hidden">
            {hasFigures && layout.value === "figures" && (
              <CheckField label="All figures" {...showsAll} />
            )}
            {hasFigures && <SegmentedControl label="Region" options={regionNames} {...region} />}
            {ranked.length > 1 && (
              <ChoiceField
                label="Sort by"
                hideLabel
                className="w-40"
                options={lotSorts}
                {...sort}
              />
            )}
            {hasFigures && <SegmentedControl label="Show as" options={layouts} {...layout} />}
          </span>
        </div>
        {lots.isError ? (
          <ErrorState error={lots.error} onRetry={lots.refetch} />
        ) : isMoving ? (
          <Loading label="Colours…" />
        ) : ranked.length === 0 ? (
          <EmptyState title="No colours are known for it">
            {item.item_type === "PART"
              ? "Name its colour to add it."
              : "It can be added as it is, without a colour."}
          </EmptyState>
        ) : view.shown.length === 0 ? (
          <EmptyState title="Every colour is hidden">
            The options above hide them; Show brings them back.
          </EmptyState>
        ) : layout.value === "figures" && hasFigures ? (
          <div className="mt-3 overflow-x-auto border-line border-t">
            <LotGrid {...list} lots={shown} groups={showsAll.value ? allGroups : [figures]} />
          </div>
        ) : (
          <ColorTiles
            {...list}
            lots={unfolded ? shown : likely}
            folded={unfolded ? 0 : shown.length - likely.length}
            onUnfold={() => setUnfolded(true)}
            region={region.value}
          />
        )}
      </Card>
      {priced && (
        <LotPricesDialog lot={priced} condition={condition} onClose={() => setPriced(null)} />
      )}
    </>
  );
}

/** Those with figures or kept for another reason. A price that comes for one folds none in sight. */
function useLikely(shown: readonly CatalogLot[], isKept: (lot: CatalogLot) => boolean) {
  /** The colours that were shown first. */
  const [begun, setBegun] = useState<ReadonlySet<number>>(new Set());
  const likely = withFigures(shown, (each) => isKept(each) || begun.has(each.id));
  if (begun.size === 0 && likely.length > 0) setBegun(new Set(likely.map(({ id }) => id)));
  return likely;
}

/** The lots in the station's order, what the options leave of them, and how they are marked. */
function useLotView(item: CatalogItem, query: UseQueryResult<CatalogLot[]>, batchId?: number) {
  const lots = query.data ?? [];
  const highlight = useClientState("options.highlight");
  const showLowValueLots = useClientState("options.showLowValueLots");
  const hideExistingBatchItemLots = useClientState("options.hideExistingBatchItemLots");
  const stock = useQuery(stockQueries.owned(item.id));
  const colors = useSideQuery(catalogQueries.colors(), "the colours");
  const rule = useSideQuery(marketplaceQueries.priceRule(), "your price rule");
  const isRanking = useIsFetching({ queryKey: catalogQueries.colors().queryKey }) > 0 && !colors;
  const needsBatch = highlight || hideExistingBatchItemLots;
  const inBatch = useSideQuery(
    lotsInBatchQuery(needsBatch ? (batchId ?? null) : null, item.item_number),
    "which lots the batch has",
  );
  const needed = useSideQuery(
    lotsNeededQuery(item.item_number, highlight),
    "which lots your sets need",
  );
  const owned = ownedByLot(stock.data ?? []);
  const meant = meantColor(item, lots, useLockedColor());
  const ranked = ranking(lots, owned, colors ?? [], meant);
  const context = {
    owned: new Set(owned.keys()),
    inBatch: new Set(inBatch),
    needed: new Set(needed),
    // Nothing is hidden before it is known what is of low value.
    lowValue: rule ? Number(rule.low_value) : 0,
    highValue: rule ? Number(rule.high_value) : Number.POSITIVE_INFINITY,
    keepColorId: meant,
  };
  const options = { highlight, showLowValueLots, hideExistingBatchItemLots };
  const view = viewLots(ranked, options, context);
  const marks = new Map(
    highlight ? view.shown.map((lot) => [lot.id, marksOf(lot, context)] as const) : [],
  );
  // What comes later would put other colours in the places of those in sight.
  const isMoving = query.isPending || stock.isPending || isRanking;
  return { ranked, view, owned, marks, meant, isMoving, stock };
}

/** The colours used last as they were when the item was opened: adding must not move the rows. */
function useRecentColors(itemId: number): readonly number[] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(recentColors, [itemId]);
}

function ownedByLot(rows: readonly Owned[]): Map<number, OwnedLot> {
  const lots = new Map<number, OwnedLot>();
  for (const { lot_id, quantity, location_name } of rows.filter((row) => row.quantity > 0)) {
    const { pieces, places } = lots.get(lot_id) ?? { pieces: 0, places: [] };
    const place = location_name || "no bin";
    lots.set(lot_id, {
      pieces: pieces + quantity,
      places: places.includes(place) ? places : [...places, place],
    });
  }
  return lots;
}

/** What is meant first, then what is owned, then the common colours. */
function ranking(
  lots: readonly CatalogLot[],
  owned: ReadonlyMap<number, OwnedLot>,
  colors: readonly { id: number; part_count: number }[],
  meant: number | null,
): CatalogLot[] {
  const byId = new Map(lots.map((lot) => [lot.id, lot]));
  const options = rankColors(lots, {
    owned: new Map([...owned].map(([id, { pieces }]) => [id, pieces])),
    namedColorId: meant,
    recentColorIds: [],
    commonness: new Map(colors.map((color) => [color.id, color.part_count])),
  });
  return options.flatMap(({ lotId }) => byId.get(lotId ?? 0) ?? []);
}

function syncedText(lots: readonly CatalogLot[]): string {
  const times = lots.flatMap((lot) => lot.bricklinkSyncedAt ?? []).toSorted();
  const [oldest, newest] = [times[0], times.at(-1)];
  if (!oldest || !newest) return "an unknown time";
  const now = Date.now();
  const [from, to] = [formatAgo(oldest, now), formatAgo(newest, now)];
  return from === to ? to : `${from} to ${to}`;
}
