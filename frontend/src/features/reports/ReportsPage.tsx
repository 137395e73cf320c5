import { useMutation, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { Books } from "@/features/books/public";
import { download } from "@/shared/api/download";
import { queryOne } from "@/shared/api/queries";
import { browserZone, counted, formatCount, formatDate, formatFigure } from "@/shared/lib/format";
import { isItemType, itemTypeNames } from "@/shared/lib/itemTypes";
import { paths, pathTo } from "@/shared/lib/paths";
import { entriesOf } from "@/shared/lib/records";
import { may } from "@/shared/lib/role";
import { returnText, valueText } from "@/shared/lib/worth";
import { Bars } from "@/shared/ui/Bars";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Card, Page, PageHeader } from "@/shared/ui/Card";
import { worthCell } from "@/shared/ui/Price";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { ErrorState, Loading } from "@/shared/ui/states";
import { Tabs } from "@/shared/ui/Tabs";
import { When } from "@/shared/ui/When";
import type {
  BatchLine,
  BatchProfitLine,
  ReportName,
  Reports,
  SalesCategoryLine,
  SalesChannelLine,
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
  const [params, setParams] = useSearchParams();
  const tab = may("read books") && params.get("tab") === "books" ? "books" : "figures";
  return (
    <Page>
      <PageHeader
        title="Reports"
        description={tab === "figures" && "All purchases, and the sales of the last 365 days."}
        actions={<ButtonLink to={paths.home}>Back to home</ButtonLink>}
      />
      {may("read books") ? (
        <Tabs
          label="Reports"
          value={tab}
          onChange={(tab) => setParams(tab === "books" ? { tab } : {}, { replace: true })}
          tabs={[
            { value: "figures", label: "Figures", panel: <Figures /> },
            { value: "books", label: "Books", panel: <Books /> },
          ]}
        />
      ) : (
        <Figures />
      )}
    </Page>
  );
}

function Figures() {
  const reports = useQuery(reportQueries.all());
  return (
    <>
      {reports.isPending && <Loading />}
      {reports.isError && (
        <ErrorState error={reports.error} onRetry={() => void reports.refetch()} />
      )}
      {reports.data && <Tables reports={reports.data} />}
    </>
  );
}

/** Bars that a chart draws: more cannot be compared. */
const MOST_BARS = 12;

/** The question that most reports answer in parts, as a picture. */
function PaidBack({ batches, currency }: { batches: readonly BatchLine[]; currency: string }) {
  const known = batches
    .filter(({ gives_back }) => gives_back !== null)
    .sort((one, other) => Number(other.gives_back) - Number(one.gives_back))
    .slice(0, MOST_BARS);
  if (known.length === 0) return null;
  return (
    <Card
      title="Which purchase is worth most for its money?"
      description="Value of the items ÷ what the batch cost, the best first."
    >
      <Bars
        label="Return per batch"
        rows={known.map((row) => ({
          id: row.id,
          name: row.name,
          amount: Number(row.gives_back),
          text: returnText(row.gives_back),
          note: `${valueText(row.value, currency)} for ${valueText(row.cost, currency)}`,
          to: pathTo("batches", { batch: row.id }),
          tone: Number(row.gives_back) >= 1 ? "success" : "danger",
        }))}
      />
    </Card>
  );
}

function Tables({ reports }: { reports: Reports }) {
  const { currency } = reports;
  const shown = reports.batches.length;
  return (
    <div className="flex flex-col gap-4">
      <PaidBack batches={reports.batches} currency={currency} />
      <Report<BatchLine>
        name="batches"
        title="Return per batch"
        description={
          shown < reports.batch_count
            ? `The newest ${formatCount(shown)} of ${formatCount(reports.batch_count)}; the file has all.`
            : "Value of the items ÷ what the batch cost. A batch without a cost has no return."
        }
        none="Your first batch with a cost fills this."
        rows={reports.batches}
        columns={batchColumns(currency)}
      />
      <Report<BatchProfitLine>
        name="profit"
        title="Profit per batch"
        description="What buyers paid for the pieces that they kept, less fees and what those pieces cost."
        none="The first order that you pick fills this."
        rows={reports.profit}
        columns={[
          named("Batch", (row) =>
            row.id === null ? (
              <span className="text-muted">From no batch</span>
            ) : (
              <BatchLink id={row.id} name={row.name} />
            ),
          ),
          ...profitColumns<BatchProfitLine>(currency),
        ]}
      />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Report<SourceProfitLine>
          name="source-profit"
          title="Profit per source"
          description="Over the batches whose cost is known. Paid back: sold, less fees, ÷ all they cost."
          none="The first sale of a batch with a source and a cost fills this."
          rows={reports.source_profit}
          columns={[
            named("Source", (row) => <SourceLink id={row.id} name={row.name} />),
            ...profitColumns<SourceProfitLine>(currency),
          ]}
        />
        <Report<SourceLine>
          name="sources"
          title="Return per source"
          description="Over the batches whose cost is known."
          none="A batch that names its source fills this."
          rows={reports.sources}
          columns={sourceColumns(currency)}
        />
        <Report<SittingLine>
          name="pace"
          title="Pieces per minute"
          description="Your sessions at the station, newest first. Those under 20 seconds show no pace."
          none="An evening at the station fills this."
          rows={reports.pace}
          columns={paceColumns}
        />
        <Report<AgeRow>
          name="stock"
          title="Stock by age and value"
          description="A: the lots that make 80 % of the value. B: the next 15 %. C: the rest. Old A lots tie up most money."
          none="Stow a batch or import your store to fill this."
          rows={byAge(reports.stock).filter((row) => row.lots > 0)}
          columns={stockColumns(currency)}
        />
        <Report<SellThroughLine>
          name="sell-through"
          title="Sell-through"
          description="Pieces that buyers kept, by the day of the order, and their share of all there was to sell within a year."
          none="Stock and sales fill this."
          rows={reports.sell_through}
          columns={sellThroughColumns}
        />
        <Report<SalesDayLine>
          name="sales"
          title="Sales by day"
          description="Pieces that buyers kept, of the orders of a year in your currency."
          none="The first order that you pick fills this."
          rows={reports.sales}
          columns={salesColumns(currency)}
        />
        <Report<SalesCategoryLine>
          name="categories"
          title="Sales by category"
          description="The same pieces, the categories that brought most first."
          none="The first order that you pick fills this."
          rows={reports.categories}
          columns={categoryColumns(currency)}
        />
        {reports.channels.length > 1 && (
          <Report<SalesChannelLine>
            name="channels"
            title="Sales by store"
            description="The same pieces by where they were sold. Fees: the percentage of your settings; none by hand."
            none="The first order that you pick fills this."
            rows={reports.channels}
            columns={channelColumns(currency)}
          />
        )}
        <Report<WalkLine>
          name="walks"
          title="Pick walks"
          description="From the first bin to the last, newest first."
          none="Your first pick walk fills this."
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
      // What holds nothing yet comes after what does.
      className={clsx("min-w-0", rows.length === 0 && "order-last")}
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

/** The head of a column of money: its cells leave the currency out. */
const inMoney = (header: string, currency: string) =>
  currency ? `${header}, ${currency}` : header;

type Cell<Row> = (row: Row) => ReactNode;

/** What a row is about. */
const about = <Row,>(header: string, cell: Cell<Row>): SimpleColumn<Row> => ({
  header,
  grow: true,
  cell: (row) => <span className="whitespace-nowrap">{cell(row)}</span>,
});
/** What a row is about, by a link or a long name that may wrap. */
const named = <Row,>(header: string, cell: Cell<Row>): SimpleColumn<Row> => ({
  header,
  grow: true,
  cell,
});
const figure = <Row,>(header: string, cell: Cell<Row>): SimpleColumn<Row> => ({
  header,
  align: "end",
  cell,
});
/** The figure that counts: beside the name on a phone. */
const first = <Row,>(column: SimpleColumn<Row>): SimpleColumn<Row> => ({
  ...column,
  phone: "first",
});
/** A figure that a phone has no room for. */
const notOnPhone = <Row,>(column: SimpleColumn<Row>): SimpleColumn<Row> => ({
  ...column,
  phone: "none",
});
/** A figure of each of these fields, under its head. */
const counts = <Name extends string>(heads: Readonly<Record<Name, string>>) =>
  entriesOf<Name, string>(heads).map(([name, header]) =>
    figure<Record<Name, number>>(header, (row) => formatCount(row[name])),
  );

const amounts = <Name extends string>(currency: string, heads: Readonly<Record<Name, string>>) =>
  entriesOf<Name, string>(heads).map(([name, header]) =>
    figure<Record<Name, string | null>>(inMoney(header, currency), (row) => valueText(row[name])),
  );

const profitColumns = <Row extends SourceProfitLine>(currency: string): SimpleColumn<Row>[] => [
  ...counts({ pieces: "Pieces" }),
  ...amounts(currency, { sold: "Sold for", fees: "Fees", cost: "Cost" }),
  first(figure(inMoney("Profit", currency), (row) => <Profit amount={row.profit} />)),
  figure("Paid back", (row) => <Return ratio={row.paid_back} />),
];

const batchColumns = (currency: string): SimpleColumn<BatchLine>[] => [
  named("Batch", (row) => <BatchLink id={row.id} name={row.name} />),
  {
    header: "Source",
    phone: "plain",
    cell: (row) => <span className="whitespace-nowrap">{row.source_name || "–"}</span>,
  },
  {
    header: "Came",
    phone: "plain",
    cell: (row) => (
      <span className="whitespace-nowrap">
        <When at={row.createdAt} />
      </span>
    ),
  },
  ...counts({ pieces: "Pieces" }),
  ...amounts(currency, { cost: "Cost" }),
  figure(inMoney("Value", currency), worthCell),
  first(figure("Return", (row) => <Return ratio={row.gives_back} />)),
  ...amounts<"cost_per_kg">(currency, { cost_per_kg: "Cost per kg" }).map(notOnPhone),
  notOnPhone(
    figure(inMoney("Cost per piece", currency), (row) => formatFigure(row.cost_per_piece)),
  ),
];

const sourceColumns = (currency: string): SimpleColumn<SourceLine>[] => [
  named("Source", (row) => <SourceLink id={row.id} name={row.name} />),
  ...counts({ batches: "Batches", pieces: "Pieces" }),
  ...amounts(currency, { spent: "Spent" }),
  figure(inMoney("Value", currency), worthCell),
  first(figure("Return", (row) => <Return ratio={row.gives_back} />)),
];

const paceColumns: SimpleColumn<SittingLine>[] = [
  about("Session", (row) => <When at={row.startedAt} />),
  ...counts({ minutes: "Minutes", adds: "Adds", pieces: "Pieces", undos: "Undone" }),
  first(figure("Per minute", (row) => row.per_minute ?? "–")),
];

const stockColumns = (currency: string): SimpleColumn<AgeRow>[] => [
  about("In stock for", (row) => row.age),
  ...(["A", "B", "C"] as const).map((name) =>
    figure<AgeRow>(inMoney(name, currency), (row) => (
      <span className="flex flex-col">
        <span>{worthCell(row.cells[name])}</span>
        <span className="whitespace-nowrap text-muted text-xs">
          {counted(row.cells[name].lots, "lot")}
        </span>
      </span>
    )),
  ),
];

const salesColumns = (currency: string): SimpleColumn<SalesDayLine>[] => [
  about("Day", (row) => (row.day ? formatDate(row.day) : "No date")),
  ...counts({ orders: "Orders", pieces: "Pieces" }),
  ...amounts(currency, { amount: "Sold for" }),
];

const categoryColumns = (currency: string): SimpleColumn<SalesCategoryLine>[] => [
  named("Category", (row) => (
    <span className="wrap-anywhere">{row.category || "Not in the catalogue"}</span>
  )),
  ...counts({ orders: "Orders", lots: "Lots", pieces: "Pieces" }),
  ...amounts<"amount">(currency, { amount: "Sold for" }).map(first),
];

const channelColumns = (currency: string): SimpleColumn<SalesChannelLine>[] => [
  about("Store", (row) => row.name),
  ...counts({ orders: "Orders", pieces: "Pieces" }),
  ...amounts(currency, { amount: "Sold for", fees: "Fees" }),
];

const walkColumns: SimpleColumn<WalkLine>[] = [
  about("Walk", (row) => <When at={row.startedAt} />),
  ...counts({ orders: "Orders", stops: "Stops" }),
  figure("Minutes", (row) => row.minutes),
  first(figure("Per order", (row) => row.minutes_per_order ?? "–")),
];

const sellThroughColumns: SimpleColumn<SellThroughLine>[] = [
  named("Type", (row) =>
    isItemType(row.item_type) ? itemTypeNames[row.item_type] : "Not in the catalogue",
  ),
  ...counts({
    stock_pieces: "In stock",
    sold_30: "30 days",
    sold_90: "90 days",
    sold_365: "A year",
  }),
  first(figure("Share sold", (row) => percent(row.sell_through))),
];
