import type { ReactNode } from "react";
import { formatAgo, formatNumber } from "@/shared/lib/format";
import { whyPrice } from "@/shared/lib/priceRule";
import { priceText, valueText } from "@/shared/lib/worth";
import { Badge } from "@/shared/ui/Badge";
import { Checkbox } from "@/shared/ui/Checkbox";
import { Pager } from "@/shared/ui/Pager";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import type { Repricing } from "./repricing";

/** Rows that the server shows at once. */
const SHOWN = 200;

type Change = {
  id: number;
  before?: unknown;
  after?: unknown;
  percent?: string | null;
  found_by?: string;
  limited_by?: string;
  is_marked?: boolean;
  quantity?: number;
  figureAt?: string | null;
};

const textOf = (price: unknown) => (typeof price === "string" ? price : null);

/** New prices before they are set: sorted by any figure, each row to untick, the largest changes. */
export function RepricedRows<Row extends Change>(props: {
  rows: readonly Row[];
  count: number;
  largest: readonly Row[];
  /** What tells a row from others. */
  columns: readonly SimpleColumn<Row>[];
  nameOf: (row: Row) => string;
  values: Repricing;
  onChange: (values: Repricing) => void;
}) {
  const { rows, count, largest, nameOf, values, onChange } = props;
  const { leave, order, start } = values;
  const untick = ({ id }: Row) =>
    onChange({
      ...values,
      leave: leave.includes(id) ? leave.filter((each) => each !== id) : [...leave, id],
    });
  const columns: SimpleColumn<Row>[] = [
    {
      header: "Set",
      cell: (row) => (
        <Checkbox
          label={<span className="sr-only">{nameOf(row)}</span>}
          checked={!leave.includes(row.id)}
          onChange={() => untick(row)}
        />
      ),
    },
    ...props.columns,
    { header: "Now", align: "end", sort: "before", cell: (row) => priceText(textOf(row.before)) },
    {
      header: "Then",
      align: "end",
      sort: "after",
      phone: "first",
      cell: (row) => priceText(textOf(row.after)),
    },
    { header: "Percent", align: "end", sort: "percent", cell: percentText },
    { header: "Value", align: "end", sort: "change", cell: (row) => gainText(row) },
  ];
  // Only the price rule finds figures.
  if (rows.some((row) => row.is_marked || row.found_by || row.limited_by)) {
    columns.push({ header: "Why", phone: "plain", cell: why });
  }
  return (
    <div className="flex flex-col gap-3">
      {largest.length > 1 && (
        <details>
          <summary className="cursor-pointer text-accent-ink text-sm">
            The {largest.length} largest changes
          </summary>
          <ol className="mt-2 flex flex-col gap-1 text-sm">
            {largest.map((row) => (
              <li key={row.id} className="flex flex-wrap justify-between gap-x-4">
                <span>{nameOf(row)}</span>
                <span className="tabular-nums">
                  {priceText(textOf(row.before))} → {priceText(textOf(row.after))}, {gainText(row)}
                </span>
              </li>
            ))}
          </ol>
        </details>
      )}
      {rows.length > 0 && (
        <SimpleTable
          caption="What would happen to them"
          columns={columns}
          rows={rows}
          getKey={(row) => row.id}
          order={order}
          onOrder={(next) => onChange({ ...values, order: next, start: 0 })}
        />
      )}
      <Pager
        page={start / SHOWN + 1}
        pages={Math.ceil(count / SHOWN)}
        onPage={(page) => onChange({ ...values, start: (page - 1) * SHOWN })}
      />
    </div>
  );
}

const signed = (amount: number, text: string) => (amount > 0 ? `+${text}` : text);

function percentText({ percent }: Change): ReactNode {
  if (percent === null || percent === undefined) return "–";
  return signed(Number(percent), `${formatNumber(Number(percent), 1)}\u00a0%`);
}

/** How much more all pieces of a row are worth. */
function gainText({ before, after, quantity = 0 }: Change): string {
  const gain = (Number(after ?? 0) - Number(before ?? 0)) * quantity;
  return signed(gain, valueText(gain.toFixed(4)));
}

/** The figure that a price comes from; its age is in the title. */
function why(row: Change): ReactNode {
  if (row.is_marked) return <Badge tone="warning">no data</Badge>;
  const age = row.found_by && row.figureAt && formatAgo(row.figureAt, Date.now());
  return (
    <span title={age ? `Looked up ${age}` : undefined} className="block sm:min-w-40">
      {whyPrice(row)}
    </span>
  );
}
