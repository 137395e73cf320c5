import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { Link } from "react-router-dom";
import { api } from "@/shared/api/client";
import { download } from "@/shared/api/download";
import type { Schema } from "@/shared/api/wire";
import { browserZone, formatCount, formatDate } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { entriesOf } from "@/shared/lib/records";
import { invalidate } from "@/shared/lib/tags";
import { valueText } from "@/shared/lib/worth";
import { Button } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { ChoiceField } from "@/shared/ui/Field";
import { Menu } from "@/shared/ui/Menu";
import { SimpleTable } from "@/shared/ui/SimpleTable";
import { ErrorState, Loading, Notice } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { booksQueries } from "./queries";
import {
  type Books as BooksRow,
  type FileName,
  fileNames,
  missingTexts,
  type Period,
  periodsAt,
  ruleText,
} from "./rules";

/** The books of a period: its sums, what is missing in them, and the files for accounting. */
export function Books() {
  const periods = useMemo(() => periodsAt(new Date()), []);
  const chosen = useControl(periods[0]?.label ?? "");
  const period = periods.find(({ label }) => label === chosen.value)?.period;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <ChoiceField
          label="Period"
          className="w-56"
          options={periods.map(({ label }) => ({ value: label, label }))}
          {...chosen}
        />
        {period && <Export period={period} />}
      </div>
      {period && (
        <Sums period={period}>
          <Invoices />
        </Sums>
      )}
    </div>
  );
}

function Export({ period }: { period: Period }) {
  const fetch = useMutation({
    meta: { tellsFailure: true },
    mutationFn: (name: FileName) =>
      download(`books/${name}/file`, `${name}.csv`, { ...period, time_zone: browserZone() }),
  });
  return (
    <Menu
      trigger={
        <Button variant="primary" loading={fetch.isPending} icon={Download}>
          Export
        </Button>
      }
      entries={entriesOf(fileNames).map(([id, label]) => ({
        id,
        label,
        run: () => fetch.mutate(id),
      }))}
    />
  );
}

/** The sums, and below them the children once it is known how high they are. */
function Sums({ period, children }: { period: Period; children: ReactNode }) {
  const books = useQuery(booksQueries.of(period));
  if (books.isPending) return <Loading />;
  if (books.isError) {
    return (
      <>
        <ErrorState error={books.error} onRetry={() => void books.refetch()} />
        {children}
      </>
    );
  }
  const row = books.data;
  const missing = missingTexts(row);
  return (
    <>
      {!row.missing.has_tax_mode && (
        <Notice tone="info" title="No VAT is worked out">
          Say how you are taxed, and since when, in{" "}
          <Link to={pathTo("settings", {}, "books")} className="text-accent-ink underline">
            Settings
          </Link>
          .
        </Notice>
      )}
      {missing.length > 0 && (
        <Notice tone="warning" title="Missing">
          <ul className="list-disc pl-4">
            {missing.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
      <Card
        title="Sums"
        description="By the day of the order. Amounts have four places here and in the lists; bookings and invoices are rounded to the cent, half up."
      >
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-5">
          {figures(row).map(([name, value]) => (
            <div key={name}>
              <dt className="text-muted text-xs">{name}</dt>
              <dd className="font-medium tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card
        title="By rule of VAT"
        description="Worked out from your settings, the buyer's country and the rates of the day. This is not tax advice."
      >
        {row.rules.length === 0 ? (
          <p className="text-muted text-sm">
            The first order that you pick in the period fills this.
          </p>
        ) : (
          <SimpleTable
            caption="By rule of VAT"
            rows={row.rules}
            getKey={ruleText}
            columns={[
              { header: "Rule", grow: true, cell: ruleText },
              { header: "Pieces", align: "end", cell: ({ pieces }) => formatCount(pieces) },
              {
                header: "Sold for",
                align: "end",
                cell: ({ gross }) => valueText(gross, row.currency),
              },
              { header: "Cost", align: "end", cell: ({ cost }) => valueText(cost, row.currency) },
              {
                header: "VAT in it",
                align: "end",
                cell: ({ tax }) => valueText(tax, row.currency),
              },
              {
                header: "VAT unknown",
                align: "end",
                cell: ({ lines_without_tax }) => lines_without_tax || "–",
              },
            ]}
          />
        )}
      </Card>
      {children}
    </>
  );
}

const figures = (row: BooksRow): [string, string][] => [
  ["Sold for", valueText(row.sold, row.currency)],
  ["Shipping and charges", valueText(row.extras, row.currency)],
  ["Refunds, taken off", valueText(row.refunds, row.currency)],
  ["Fees", valueText(row.fees, row.currency)],
  ["Cost, where known", valueText(row.cost, row.currency)],
  ["Margin, where known", valueText(row.margin, row.currency)],
  ["VAT in it", valueText(row.tax, row.currency)],
  ["Purchases", valueText(row.purchases, row.currency)],
  ["Orders", formatCount(row.orders)],
  ["Pieces", formatCount(row.pieces)],
];

function Invoices() {
  const invoices = useQuery(booksQueries.invoices());
  const rows: readonly Schema<"InvoiceRow">[] = invoices.data?.data ?? [];
  return (
    <Card
      title="Invoices"
      description="The newest 20. An invoice is made from an order, under Print."
    >
      {invoices.isPending && <Loading />}
      {invoices.isError && (
        <ErrorState error={invoices.error} onRetry={() => void invoices.refetch()} />
      )}
      {invoices.isSuccess && rows.length === 0 && (
        <p className="text-muted text-sm">No invoice yet.</p>
      )}
      {rows.length > 0 && (
        <SimpleTable
          caption="Invoices"
          rows={rows}
          getKey={({ id }) => id}
          columns={[
            {
              header: "Number",
              cell: ({ number, kind }) => (
                <span className="whitespace-nowrap">
                  {kind === "credit" ? `${number} (credit note)` : number}
                </span>
              ),
            },
            {
              header: "Issued",
              cell: ({ issued_on }) => (
                <span className="whitespace-nowrap">{formatDate(issued_on)}</span>
              ),
            },
            {
              header: "Buyer",
              grow: true,
              cell: ({ buyer }) => (
                <span className="wrap-anywhere block min-w-28">{buyer.split("\n")[0]}</span>
              ),
            },
            { header: "Total", align: "end", cell: (row) => valueText(row.total, row.currency) },
            { header: "", align: "end", cell: (row) => <InvoiceFile invoice={row} /> },
          ]}
        />
      )}
    </Card>
  );
}

/** What can be done with an invoice: its PDF, and its credit note. */
function InvoiceFile({ invoice }: { invoice: Schema<"InvoiceRow"> }) {
  const client = useQueryClient();
  const print = useMutation({
    meta: { tellsFailure: true },
    mutationFn: () => download(`invoices/${invoice.id}/file`, `invoice-${invoice.number}.pdf`),
  });
  const cancel = useMutation({
    mutationFn: () => api.post("invoices/{id}/cancel", { path: { id: invoice.id } }),
    onSuccess: () => invalidate(client, "books"),
  });
  return (
    <span className="flex justify-end gap-1 whitespace-nowrap">
      <Button
        size="sm"
        loading={print.isPending}
        aria-label={`PDF of ${invoice.number}`}
        onClick={() => print.mutate()}
      >
        PDF
      </Button>
      {invoice.kind === "invoice" && invoice.cancelled_by === null && (
        <DestructiveButton
          size="sm"
          variant="ghost"
          aria-label={`Cancel ${invoice.number}`}
          action={{
            label: "Issue a credit note",
            done: "Credit note issued",
            confirm: `Invoice ${invoice.number} stays as it is; a credit note with the next number cancels it. Its orders can be invoiced again.`,
            run: () => cancel.mutateAsync(),
          }}
        />
      )}
    </span>
  );
}
