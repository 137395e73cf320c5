import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useCurrency } from "@/features/profile/public";
import { colorWords } from "@/shared/lib/colorNames";
import { counted, formatCount } from "@/shared/lib/format";
import { isItemType, itemTypeNames } from "@/shared/lib/itemTypes";
import { agedText, leftOutText, valueText } from "@/shared/lib/worth";
import { ColorSwatch } from "@/shared/ui/Badge";
import { Dialog } from "@/shared/ui/Dialog";
import { Loaded } from "@/shared/ui/states";
import type { Batch } from "../model";
import { batchQueries } from "../queries";
import type { Charts, Deviation, Share } from "./model";
import { isBeyond, stepName } from "./rules";

/** The batch's value by colour and type, and its prices compared with the market's. */
export function BatchCharts({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const query = useQuery(batchQueries.charts(batch.id));
  const currency = useCurrency();
  return (
    <Dialog onClose={onClose} title={`Charts of ${batch.name}`} size="xl">
      <Loaded query={query}>{(data) => <Drawn charts={data} currency={currency} />}</Loaded>
    </Dialog>
  );
}

function Drawn({ charts, currency }: { charts: Charts; currency: string | undefined }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: nothing else in it takes the focus, and it scrolls by keys
    <div tabIndex={0} className="grid items-start gap-x-8 gap-y-6 sm:grid-cols-2">
      <Chart title="Value by colour" note={charts.by_color.length >= 10 && "The ten of most value"}>
        <Shares
          currency={currency}
          rows={charts.by_color.map((row) => ({
            ...row,
            key: `${row.color_name} ${row.color_html}`,
            name: (
              <span className="flex min-w-0 items-center gap-2">
                <ColorSwatch html={row.color_html} />
                <span className="truncate">{colorWords(row.color_name) || "No colour"}</span>
              </span>
            ),
          }))}
        />
      </Chart>
      <div className="flex flex-col gap-6">
        <Chart title="Value by type">
          <Shares
            currency={currency}
            rows={charts.by_type.map((row) => ({
              ...row,
              key: row.item_type,
              name: isItemType(row.item_type) ? itemTypeNames[row.item_type] : row.item_type,
            }))}
          />
        </Chart>
        <Chart
          title="Prices beside the market's"
          note={[
            "Lots by how far they ask above or below their reference price",
            agedText(charts.figuresAt),
          ]
            .filter(Boolean)
            .join("; ")}
        >
          <Histogram {...charts} />
        </Chart>
      </div>
    </div>
  );
}

function Chart(props: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={props.title}>
      <h3 className="font-semibold text-sm">{props.title}</h3>
      {props.note && <p className="text-muted text-xs">{props.note}</p>}
      <div className="mt-2.5">{props.children}</div>
    </section>
  );
}

function Shares(props: {
  rows: readonly (Share & { key: string; name: ReactNode })[];
  currency: string | undefined;
}) {
  const most = Math.max(...props.rows.map(({ value }) => Number(value)), 0.0001);
  return (
    <ul className="flex flex-col gap-2">
      {props.rows.map(({ key, name, value, pieces, lots_without_price }) => (
        <li key={key}>
          <span className="flex items-baseline justify-between gap-3 text-sm">
            {name}
            <span className="shrink-0 tabular-nums">
              <span className="font-medium">{valueText(value, props.currency)}</span>
              <span className="ml-2 text-muted text-xs">
                {counted(pieces, "piece")}
                {leftOutText(lots_without_price)}
              </span>
            </span>
          </span>
          <span aria-hidden="true" className="mt-1 block h-2 rounded-full bg-sunken">
            <span
              style={{ width: `${Math.max(1, (100 * Number(value)) / most)}%` }}
              className="block h-full rounded-full bg-accent"
            />
          </span>
        </li>
      ))}
    </ul>
  );
}

const HEIGHT = 120;

/** Columns with their counts as text: it reads without colours, and by a screen reader. */
function Histogram({ deviations, unpriced, unknown }: Charts) {
  const most = Math.max(...deviations.map(({ lots }) => lots), 1);
  const told = deviations.reduce((sum, { lots }) => sum + lots, 0);
  const beside = [
    unknown > 0 && `${formatCount(unknown)} without a reference price`,
    unpriced > 0 && `${formatCount(unpriced)} without a price`,
  ].filter(Boolean);
  return (
    <>
      {told === 0 ? (
        <p className="text-muted text-sm">No lot has both a price and a reference price.</p>
      ) : (
        <ol className="flex items-stretch gap-1">
          {deviations.map((step) => (
            <Bar key={stepName(step)} step={step} most={most} />
          ))}
        </ol>
      )}
      {beside.length > 0 && (
        <p className="mt-2 text-muted text-xs">Not in it: {beside.join(", ")}.</p>
      )}
    </>
  );
}

function Bar({ step, most }: { step: Deviation; most: number }) {
  return (
    <li className="flex min-w-0 flex-1 flex-col items-center justify-end gap-1 text-center">
      <span className="font-medium text-sm tabular-nums">{formatCount(step.lots)}</span>
      <span
        aria-hidden="true"
        style={{ height: step.lots === 0 ? 2 : Math.max(4, (HEIGHT * step.lots) / most) }}
        className={clsx(
          "w-full max-w-16 rounded-t-control",
          step.lots === 0 ? "bg-line" : isBeyond(step) ? "bg-warning" : "bg-accent",
        )}
      />
      <span className="h-11 text-[11px] text-muted leading-tight">{stepName(step)}</span>
    </li>
  );
}
