import { useQuery } from "@tanstack/react-query";
import { useRefreshPrices } from "@/features/marketplace/public";
import { counted, formatAgo, formatDate, formatFigure } from "@/shared/lib/format";
import { regionName } from "@/shared/lib/regions";
import { Button } from "@/shared/ui/Button";
import { LineChart } from "@/shared/ui/charts";
import { Dialog } from "@/shared/ui/Dialog";
import { conditionNames, usedFirst } from "@/shared/ui/Lot";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { EmptyState, ErrorState, Loading, Notice } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import type { CatalogLot, PricePoint, RegionFigures } from "./model";
import { niceTop, pricesByDay } from "./priceLines";
import { catalogQueries } from "./queries";

/** How many figures a price rests on. */
function Samples(props: { lots: number | null; pieces: number | null; what: "sale" | "lot" }) {
  const { lots, pieces, what } = props;
  return (
    <span className="whitespace-nowrap text-muted">
      {lots === null
        ? "not fetched"
        : lots === 0
          ? `no ${what}s`
          : `${counted(lots, what)}, ${counted(pieces ?? 0, "piece")}`}
    </span>
  );
}

function columnsFor(currency: string): SimpleColumn<RegionFigures>[] {
  return [
    {
      header: "Condition",
      cell: ({ condition }) => conditionNames[condition],
    },
    { header: "Region", cell: ({ region }) => regionName(region) },
    { header: "Sold", align: "end", cell: (row) => formatFigure(row.avg_sold_price, currency) },
    {
      header: "Sales",
      align: "end",
      cell: (row) => <Samples lots={row.sold_lots} pieces={row.sold_quantity} what="sale" />,
    },
    {
      header: "Asked",
      align: "end",
      cell: (row) => formatFigure(row.avg_inventory_price, currency),
    },
    { header: "Lowest", align: "end", cell: (row) => formatFigure(row.low_price, currency) },
    {
      header: "For sale",
      align: "end",
      cell: (row) => <Samples lots={row.stock_lots} pieces={row.stock_quantity} what="lot" />,
    },
    {
      header: "As of",
      align: "end",
      cell: (row) => (
        <span className="whitespace-nowrap">{formatAgo(row.bricklinkSyncedAt, Date.now())}</span>
      ),
    },
  ];
}

/** Whether both halves of both conditions and regions were asked for. */
const isWhole = (figures: readonly RegionFigures[]): boolean =>
  figures.length === 4 && figures.every((row) => row.sold_lots !== null && row.stock_lots !== null);

function AllFigures({ lot }: { lot: CatalogLot }) {
  const refresh = useRefreshPrices();
  return (
    <Button
      size="sm"
      loading={refresh.isPending}
      disabledReason={refresh.isSuccess && "Being fetched"}
      onClick={() => refresh.mutate([lot.id])}
    >
      Get all figures
    </Button>
  );
}

/** All figures of a lot, what they rest on, and how they went. */
export function LotPricesDialog(props: {
  lot: CatalogLot;
  condition: "N" | "U";
  onClose: () => void;
}) {
  const { lot, onClose } = props;
  const condition = useControl(props.condition);
  const prices = useQuery(catalogQueries.prices(lot.id));
  return (
    <Dialog
      onClose={onClose}
      title={`Prices of ${lot.item_number} ${lot.color_name}`}
      description="Sold counts the last six months; asked is what is on offer now."
      size="xl"
    >
      {prices.isError ? (
        <ErrorState error={prices.error} onRetry={prices.refetch} />
      ) : prices.isPending ? (
        <Loading label="Prices…" />
      ) : prices.data.figures.length === 0 ? (
        <EmptyState title="No prices of this lot yet" actions={<AllFigures lot={lot} />}>
          They have not been fetched yet.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-5">
          {!isWhole(prices.data.figures) && (
            <Notice tone="info" title="Some of its figures have not been fetched yet">
              <AllFigures lot={lot} />
            </Notice>
          )}
          <SimpleTable
            caption="Figures"
            columns={columnsFor(prices.data.currency)}
            rows={prices.data.figures}
            getKey={({ condition: of, region }) => `${of} ${region}`}
          />
          <section aria-label="History" className="flex flex-col gap-3">
            <SegmentedControl label="Condition" options={usedFirst} {...condition} />
            <PriceChart
              points={prices.data.points}
              condition={condition.value}
              currency={prices.data.currency}
            />
          </section>
        </div>
      )}
    </Dialog>
  );
}

/** What a lot sold for and was asked for, day by day. */
function PriceChart(props: {
  points: readonly PricePoint[];
  condition: "N" | "U";
  currency: string;
}) {
  const { points, condition, currency } = props;
  const { days, lines } = pricesByDay(points, condition);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) {
    return <p className="text-muted text-sm">No prices of this condition have been kept yet.</p>;
  }
  const newest = lines.map(({ id, label }) => {
    const day = days.findLast(({ amounts }) => id in amounts);
    return `${label} ${formatFigure(day?.amounts[id], currency)}`;
  });
  return (
    <LineChart
      label={`Prices from ${formatDate(first.day)} to ${formatDate(last.day)}. Last: ${newest.join(", ")}.`}
      points={days.map(({ day, amounts }) => ({
        x: Date.parse(day),
        title: formatDate(day),
        amounts,
      }))}
      lines={lines}
      top={niceTop(Math.max(...days.flatMap(({ amounts }) => Object.values(amounts))))}
      amountText={(amount) => formatFigure(amount, currency)}
      ends={[formatDate(first.day), formatDate(last.day)]}
      className="h-48 max-w-2xl"
    />
  );
}
