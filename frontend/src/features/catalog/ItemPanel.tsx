import { useQuery } from "@tanstack/react-query";
import { ExternalLink, PackagePlus } from "lucide-react";
import { useState } from "react";
import { type Owned, preferencesQuery, stockQueries, useBatchChoice } from "@/features/stow/public";
import { formatAgo, formatWeight } from "@/shared/lib/format";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { ButtonLink } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { CopyButton } from "@/shared/ui/CopyButton";
import { ItemImage } from "@/shared/ui/ItemImage";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import { TypeTag } from "@/shared/ui/TypeTag";
import { AddToBatch } from "./AddToBatch";
import { rankColors } from "./colorRanking";
import { LotGrid, type OwnedLot } from "./LotGrid";
import { type CatalogItem, type CatalogLot, itemKeyOf, type PriceRegion } from "./model";
import { catalogQueries } from "./queries";

const regions = [
  { value: "global", label: "Worldwide" },
  { value: "us", label: "US" },
] as const;
const conditions = [
  { value: "U", label: "Used" },
  { value: "N", label: "New" },
] as const;

/** One item: what it is, its colours with figures and stock, and the way into a batch. */
export function ItemPanel({ item }: { item: CatalogItem }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [region, setRegion] = useState<PriceRegion>("global");
  const condition = useClientState("itemBeingProcessed.condition");
  const lots = useQuery(catalogQueries.lots(item.id, condition));
  const stock = useQuery(stockQueries.owned(item.id));
  const colors = useQuery(catalogQueries.colors());
  const { data: preferences } = useQuery(preferencesQuery());
  const batches = useBatchChoice();
  const currency = preferences?.currency;

  const owned = ownedByLot(stock.data ?? []);
  const ranked = ranking(lots.data ?? [], owned, colors.data ?? []);
  const only = ranked.length === 1 ? ranked[0] : undefined;
  const lot = ranked.find((each) => each.id === chosen) ?? only ?? null;
  const hasFigures = ranked.some((each) => each.bricklinkSyncedAt !== null);
  return (
    <div className="flex flex-col gap-4">
      <ItemHead item={item} batchId={batches.batch?.id ?? null} />
      <Card
        title="Colours"
        description={
          hasFigures
            ? `Price figures of ${syncedText(ranked)}.`
            : "No price figures yet: they come with a connection to the marketplace."
        }
        padded={false}
        actions={
          <span className="flex flex-wrap gap-2">
            <SegmentedControl
              label="Condition"
              value={condition}
              options={conditions}
              onChange={(next) => clientStore.set("itemBeingProcessed.condition", next)}
            />
            {hasFigures && (
              <SegmentedControl
                label="Region"
                value={region}
                options={regions}
                onChange={setRegion}
              />
            )}
          </span>
        }
      >
        {lots.isError ? (
          <ErrorState error={lots.error} onRetry={lots.refetch} />
        ) : lots.isPending ? (
          <Loading label="Colours…" />
        ) : ranked.length === 0 ? (
          <EmptyState title="No colours are known for it">
            It can be added as it is, without a colour.
          </EmptyState>
        ) : (
          <div className="mt-3 max-h-[max(18rem,calc(100dvh-36rem))] overflow-auto border-line border-t">
            <LotGrid
              lots={ranked}
              owned={owned}
              chosen={lot?.id ?? null}
              condition={condition === "N" ? "new" : "used"}
              region={region}
              currency={currency}
              onChoose={({ id }) => setChosen(id)}
            />
          </div>
        )}
      </Card>
      <AddToBatch
        key={lot?.id ?? "none"}
        item={item}
        lot={lot}
        hasColors={ranked.length > 0}
        condition={condition}
        currency={currency}
        batches={batches}
      />
    </div>
  );
}

function ItemHead({ item, batchId }: { item: CatalogItem; batchId: number | null }) {
  const { data: detail } = useQuery(catalogQueries.item(item.id));
  const sites = detail?.external_sites ?? [];
  const facts = [
    ["Category", item.category],
    ["Weight", item.weight && formatWeight(item.weight)],
    ["Size", detail?.dimensions],
    ["Year", detail?.year_released],
    ["State", detail?.is_retired && "no longer made"],
  ].filter(([, value]) => value);
  const link = new URLSearchParams({ item: itemKeyOf(item) });
  if (batchId !== null) link.set("batch", String(batchId));
  return (
    <Card>
      <div className="flex flex-wrap items-start gap-4">
        <ItemImage src={item.image_url} type={item.item_type} size="lg" />
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="break-all font-bold text-2xl tabular-nums tracking-tight">
              {item.item_number}
            </h2>
            <TypeTag type={item.item_type} />
          </div>
          <p className="text-base">{item.item_name}</p>
          <dl className="flex flex-wrap gap-x-5 gap-y-1">
            {facts.map(([name, value]) => (
              <div key={String(name)} className="flex gap-1.5">
                <dt className="text-muted">{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {sites.length > 0 && (
            <ul aria-label="Elsewhere" className="flex flex-wrap gap-x-4 gap-y-1">
              {sites.map((site) => (
                <li key={site.url}>
                  <a
                    href={site.url}
                    target="_blank"
                    rel="noreferrer"
                    className="inline-flex items-center gap-1 text-accent-ink hover:underline"
                  >
                    {site.name}
                    <ExternalLink aria-hidden="true" className="size-3.5" />
                    <span className="sr-only"> (opens a new tab)</span>
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <CopyButton label="Copy number" text={() => item.item_number} />
          <ButtonLink
            to={`/app/stow-inventory?${link}`}
            icon={<PackagePlus aria-hidden="true" className="size-4" />}
          >
            Stow it
          </ButtonLink>
        </div>
      </div>
    </Card>
  );
}

function ownedByLot(rows: readonly Owned[]): Map<number, OwnedLot> {
  const lots = new Map<number, OwnedLot>();
  for (const { lot_id, quantity, location_name } of rows.filter((row) => row.quantity > 0)) {
    const { pieces, places } = lots.get(lot_id) ?? { pieces: 0, places: [] };
    const place = location_name || "no location";
    lots.set(lot_id, {
      pieces: pieces + quantity,
      places: places.includes(place) ? places : [...places, place],
    });
  }
  return lots;
}

/** The same order as at the station: what is owned first, then the common colours. */
function ranking(
  lots: readonly CatalogLot[],
  owned: ReadonlyMap<number, OwnedLot>,
  colors: readonly { id: number; part_count: number }[],
): CatalogLot[] {
  const byId = new Map(lots.map((lot) => [lot.id, lot]));
  const options = rankColors(lots, {
    owned: new Map([...owned].map(([id, { pieces }]) => [id, pieces])),
    lastColorId: null,
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
  return from === to ? to : `${to} to ${from}`;
}
