import { useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { download } from "@/shared/api/download";
import { queryOne } from "@/shared/api/queries";
import { browserZone, counted, formatCount, formatDate, formatFigure } from "@/shared/lib/format";
import { isItemType, itemTypeNames } from "@/shared/lib/itemTypes";
import { paths, pathTo } from "@/shared/lib/paths";
import { returnText, valueText } from "@/shared/lib/worth";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Card, Page, PageHeader } from "@/shared/ui/Card";
import { worthCell } from "@/shared/ui/Price";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { ErrorState, Loading } from "@/shared/ui/states";
import { When } from "@/shared/ui/When";
import type {
  BatchLine,
  BatchProfitLine,
  ReportName,
  Reports,
  SalesCategoryLine,
  SalesDayLine,
  SellThroughLine,
  SittingLine,
  SourceLine,
  SourceProfitLine,
  WalkLine,
} from "./model";
import { type AgeRow, byAge, percent } from "./rules";

const reportQueries = {
  all: (zone = browserZone()) =>
    queryOne(["reports", zone], "reports", { filters: { time_zone: zone } }),
};

/** What a seller looks at before buying again. */
export function ReportsPage() {
  const reports = useQuery(reportQueries.all());
  return (
    <Page>
      <PageHeader
        title="Reports"
        description="What came back, how fast, what has not sold and what sells: before you buy the next lot."
        actions={<ButtonLink to={paths.home}>Back to home</ButtonLink>}
      />
      {reports.isPending && <Loading />}
      {reports.isError && (
        <ErrorState error={reports.error} onRetry={() => void reports.refetch()} />
      )}
      {reports.data && <Tables reports={reports.data} />}
    </Page>
  );
}

function Tables({ reports }: { reports: Reports }) {
  const { currency } = reports;
  const shown = reports.batches.length;
  return (
    <div className="flex flex-col gap-4">
      <Report<BatchLine>
        name="batches"
        title="Return per batch"
        description={
          shown < reports.batch_count
            ? `The newest ${formatCount(shown)} of ${formatCount(reports.batch_count)}; the file has all.`
            : "Value of the items ÷ what the batch cost. A batch without a cost has no return."
        }
        none="No batches yet."
        rows={reports.batches}
        columns={batchColumns(currency)}
      />
      <Report<BatchProfitLine>
        name="profit"
        title="Profit per batch"
        description="What buyers paid for the pieces that they kept, less fees and what those pieces cost."
        none="Nothing was sold yet."
        rows={reports.profit}
        columns={[
          {
            header: "Batch",
            grow: true,
            cell: (row) =>
              row.id === null ? (
                <span className="text-muted">From no batch</span>
              ) : (
                <BatchLink id={row.id} name={row.name} />
              ),
          },
          ...profitColumns<BatchProfitLine>(currency),
        ]}
      />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Report<SourceProfitLine>
          name="source-profit"
          title="Profit per source"
          description="Over the batches whose cost is known. Paid back: sold, less fees, ÷ all they cost."
          none="Nothing was sold yet of a batch with a source and a cost."
          rows={reports.source_profit}
          columns={[
            {
              header: "Source",
              grow: true,
              cell: (row) => <SourceLink id={row.id} name={row.name} />,
            },
            ...profitColumns<SourceProfitLine>(currency),
          ]}
        />
        <Report<SourceLine>
          name="sources"
          title="Return per source"
          description="Over the batches whose cost is known."
          none="No batch names its source yet."
          rows={reports.sources}
          columns={sourceColumns(currency)}
        />
        <Report<SittingLine>
          name="pace"
          title="Pieces per minute"
          description="Your sessions at the station, from the first act to the last; under 20 seconds there is no pace."
          none="Nothing has been added at the station yet."
          rows={reports.pace}
          columns={paceColumns}
        />
        <Report<AgeRow>
          name="stock"
          title="Stock by age and value"
          description="A: the lots that make 80 % of the value. B: the next 15 %. C: the rest. Old A lots bind most money."
          none="Nothing is in stock yet."
          rows={byAge(reports.stock).filter((row) => row.lots > 0)}
          columns={stockColumns(currency)}
        />
        <Report<SellThroughLine>
          name="sell-through"
          title="Sell-through"
          description="Pieces that buyers kept, by the day of the order, and their share of all there was to sell within a year."
          none="Nothing is in stock and nothing was sold yet."
          rows={reports.sell_through}
          columns={sellThroughColumns}
        />
        <Report<SalesDayLine>
          name="sales"
          title="Sales by day"
          description="Pieces that buyers kept, of the orders of a year in your currency."
          none="Nothing was sold yet."
          rows={reports.sales}
          columns={salesColumns(currency)}
        />
        <Report<SalesCategoryLine>
          name="categories"
          title="Sales by category"
          description="The same pieces, the categories that brought most first."
          none="Nothing was sold yet."
          rows={reports.categories}
          columns={categoryColumns(currency)}
        />
        <Report<WalkLine>
          name="walks"
          title="Pick walks"
          description="From the first stop to the last, the newest first."
          none="No walk has ended yet."
          rows={reports.walks}
          columns={walkColumns}
        />
      </div>
    </div>
  );
}

const keyOf = (row: object) =>
  "id" in row ? String(row.id) : "age" in row ? String(row.age) : String(Object.values(row)[0]);

function Report<Row extends object>(props: {
  name: ReportName;
  title: string;
  description: ReactNode;
  none: string;
  rows: readonly Row[];
  columns: readonly SimpleColumn<Row>[];
}) {
  const { name, title, description, none, rows, columns } = props;
  return (
    <Card
      title={title}
      description={description}
      actions={rows.length > 0 && <FileButton name={name} title={title} />}
      className="min-w-0"
    >
      {rows.length === 0 ? (
        <p className="text-muted text-sm">{none}</p>
      ) : (
        <SimpleTable caption={title} columns={columns} rows={rows} getKey={keyOf} />
      )}
    </Card>
  );
}

function FileButton({ name, title }: { name: ReportName; title: string }) {
  const fetch = useMutation({
    meta: { tellsFailure: true },
    mutationFn: () => download(`reports/${name}/file`, `${name}.csv`, { time_zone: browserZone() }),
  });
  return (
    <Button
      size="sm"
      loading={fetch.isPending}
      icon={Download}
      aria-label={`${title} as CSV`}
      onClick={() => fetch.mutate()}
    >
      CSV
    </Button>
  );
}

function Return({ ratio }: { ratio: string | null }) {
  if (ratio === null) return <span className="text-muted">–</span>;
  return (
    <span className={Number(ratio) >= 1 ? "text-success" : "text-danger"}>{returnText(ratio)}</span>
  );
}

function BatchLink({ id, name }: { id: number; name: string }) {
  return (
    <Link to={pathTo("batches", { batch: id })} className="block min-w-36 hover:underline">
      {name}
    </Link>
  );
}

function SourceLink({ id, name }: { id: number | null; name: string }) {
  return (
    <Link to={pathTo("sources", { source: id })} className="hover:underline">
      {name}
    </Link>
  );
}

function Profit({ amount }: { amount: string | null }) {
  if (amount === null) return <span className="text-muted">–</span>;
  return (
    <span className={Number(amount) < 0 ? "text-danger" : "text-success"}>{valueText(amount)}</span>
  );
}

const profitColumns = <Row extends SourceProfitLine>(currency: string): SimpleColumn<Row>[] => [
  { header: "Pieces", align: "end", cell: (row) => formatCount(row.pieces) },
  { header: inMoney("Sold for", currency), align: "end", cell: (row) => valueText(row.sold) },
  { header: inMoney("Fees", currency), align: "end", cell: (row) => valueText(row.fees) },
  { header: inMoney("Cost", currency), align: "end", cell: (row) => valueText(row.cost) },
  {
    header: inMoney("Profit", currency),
    align: "end",
    cell: (row) => <Profit amount={row.profit} />,
  },
  { header: "Paid back", align: "end", cell: (row) => <Return ratio={row.paid_back} /> },
];

/** The head of a column of money: its cells leave the currency out. */
const inMoney = (header: string, currency: string) =>
  currency ? `${header}, ${currency}` : header;

const batchColumns = (currency: string): SimpleColumn<BatchLine>[] => [
  {
    header: "Batch",
    grow: true,
    cell: (row) => <BatchLink id={row.id} name={row.name} />,
  },
  {
    header: "Source",
    cell: (row) => <span className="whitespace-nowrap">{row.source_name || "–"}</span>,
  },
  {
    header: "Came",
    cell: (row) => (
      <span className="whitespace-nowrap">
        <When at={row.createdAt} />
      </span>
    ),
  },
  { header: "Pieces", align: "end", cell: (row) => formatCount(row.pieces) },
  { header: inMoney("Cost", currency), align: "end", cell: (row) => valueText(row.cost) },
  { header: inMoney("Value", currency), align: "end", cell: (row) => worthCell(row) },
  { header: "Return", align: "end", cell: (row) => <Return ratio={row.gives_back} /> },
  {
    header: inMoney("Cost per kg", currency),
    align: "end",
    cell: (row) => valueText(row.cost_per_kg),
  },
  {
    header: inMoney("Cost per piece", currency),
    align: "end",
    cell: (row) => formatFigure(row.cost_per_piece),
  },
];

const sourceColumns = (currency: string): SimpleColumn<SourceLine>[] => [
  {
    header: "Source",
    grow: true,
    cell: (row) => <SourceLink id={row.id} name={row.name} />,
  },
  { header: "Batches", align: "end", cell: (row) => formatCount(row.batches) },
  { header: "Pieces", align: "end", cell: (row) => formatCount(row.pieces) },
  { header: inMoney("Spent", currency), align: "end", cell: (row) => valueText(row.spent) },
  { header: inMoney("Value", currency), align: "end", cell: (row) => worthCell(row) },
  { header: "Return", align: "end", cell: (row) => <Return ratio={row.gives_back} /> },
];

const paceColumns: SimpleColumn<SittingLine>[] = [
  {
    header: "Session",
    grow: true,
    cell: (row) => (
      <span className="whitespace-nowrap">
        <When at={row.startedAt} />
      </span>
    ),
  },
  { header: "Minutes", align: "end", cell: (row) => formatCount(row.minutes) },
  { header: "Adds", align: "end", cell: (row) => formatCount(row.adds) },
  { header: "Pieces", align: "end", cell: (row) => formatCount(row.pieces) },
  { header: "Undone", align: "end", cell: (row) => formatCount(row.undos) },
  { header: "Per minute", align: "end", cell: (row) => row.per_minute ?? "–" },
];

const stockColumns = (currency: string): SimpleColumn<AgeRow>[] => [
  {
    header: "In stock for",
    grow: true,
    cell: (row) => <span className="whitespace-nowrap">{row.age}</span>,
  },
  ...(["A", "B", "C"] as const).map((name) => ({
    header: inMoney(name, currency),
    align: "end" as const,
    cell: (row: AgeRow) => (
      <span className="flex flex-col">
        <span>{worthCell(row.cells[name])}</span>
        <span className="whitespace-nowrap text-muted text-xs">
          {counted(row.cells[name].lots, "lot")}
        </span>
      </span>
    ),
  })),
];

const salesColumns = (currency: string): SimpleColumn<SalesDayLine>[] => [
  {
    header: "Day",
    grow: true,
    cell: (row) => <span className="whitespace-nowrap">{formatDate(row.day)}</span>,
  },
  { header: "Orders", align: "end", cell: (row) => formatCount(row.orders) },
  { header: "Pieces", align: "end", cell: (row) => formatCount(row.pieces) },
  { header: inMoney("Sold for", currency), align: "end", cell: (row) => valueText(row.amount) },
];

const categoryColumns = (currency: string): SimpleColumn<SalesCategoryLine>[] => [
  {
    header: "Category",
    grow: true,
    cell: (row) => <span className="wrap-anywhere">{row.category || "Not in the catalogue"}</span>,
  },
  { header: "Orders", align: "end", cell: (row) => formatCount(row.orders) },
  { header: "Lots", align: "end", cell: (row) => formatCount(row.lots) },
  { header: "Pieces", align: "end", cell: (row) => formatCount(row.pieces) },
  { header: inMoney("Sold for", currency), align: "end", cell: (row) => valueText(row.amount) },
];

const walkColumns: SimpleColumn<WalkLine>[] = [
  {
    header: "Walk",
    grow: true,
    cell: (row) => (
      <span className="whitespace-nowrap">
        <When at={row.startedAt} />
      </span>
    ),
  },
  { header: "Orders", align: "end", cell: (row) => formatCount(row.orders) },
  { header: "Stops", align: "end", cell: (row) => formatCount(row.stops) },
  { header: "Minutes", align: "end", cell: (row) => row.minutes },
  { header: "Per order", align: "end", cell: (row) => row.minutes_per_order ?? "–" },
];

const sellThroughColumns: SimpleColumn<SellThroughLine>[] = [
  {
    header: "Type",
    grow: true,
    cell: (row) =>
      isItemType(row.item_type) ? itemTypeNames[row.item_type] : "Not in the catalogue",
  },
  { header: "In stock", align: "end", cell: (row) => formatCount(row.stock_pieces) },
  { header: "30 days", align: "end", cell: (row) => formatCount(row.sold_30) },
  { header: "90 days", align: "end", cell: (row) => formatCount(row.sold_90) },
  { header: "A year", align: "end", cell: (row) => formatCount(row.sold_365) },
  { header: "Share sold", align: "end", cell: (row) => percent(row.sell_through) },
];
