import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useState } from "react";
import { FiguresMissing } from "@/features/marketplace/public";
import { isJob } from "@/shared/api/startedJobs";
import { RepricingFields } from "@/shared/form/RepricingFields";
import {
  FIRST_REPRICING,
  repricingBody,
  whyNoChange,
  whyNotReprice,
} from "@/shared/form/repricing";
import { colorWords } from "@/shared/lib/colorNames";
import { formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { useDebounced } from "@/shared/lib/useDebounced";
import { leftOutText, priceText, valueText } from "@/shared/lib/worth";
import { Badge } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { ErrorState, Loading } from "@/shared/ui/states";
import { useTellAct } from "../acts";
import type { ChosenRows } from "../model";
import { rowsIn } from "../rules";
import { type PriceChange, type Repriced, repricingPreview, useReprice } from "./repricing";

const pricesIn = (count: number) => `${formatCount(count)} ${count === 1 ? "price" : "prices"}`;

/** New prices for many rows, after a preview and with an undo. */
export function RepriceDialog(props: {
  rows: ChosenRows;
  count: number;
  onClose: () => void;
  onDone?: () => void;
}) {
  const { rows, count, onClose, onDone } = props;
  const [values, setValues] = useState(FIRST_REPRICING);
  const problem = whyNotReprice(values);
  const body = problem ? null : repricingBody(values);
  const typed = body && JSON.stringify(body);
  const asked = useDebounced(typed);
  const preview = useQuery(repricingPreview(rows, asked));
  const mutation = useReprice();
  const tell = useTellAct();
  const shown = body === null ? undefined : preview.data;
  const stale = asked !== typed || preview.isPlaceholderData;

  const act = () => {
    if (body === null) return;
    mutation.mutate(
      { rows, how: body },
      {
        onSuccess: (done) => {
          if (!isJob(done)) tell(`${pricesIn(done.changed)} changed`, done.act_id);
          onDone?.();
          onClose();
        },
      },
    );
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Re-price ${rowsIn(count)}`}
      description="The next sync updates them in the store."
      size="lg"
      locked={mutation.isPending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            loading={mutation.isPending}
            disabledReason={
              problem ??
              (preview.error
                ? problemText(preview.error)
                : (!shown || stale) && !mutation.isPending
                  ? "Wait for the preview"
                  : shown?.changed === 0 && whyNoChange(shown.without_figures))
            }
            onClick={act}
          >
            Change prices
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RepricingFields values={values} onChange={setValues} />
        {preview.error && body !== null ? (
          <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
        ) : shown ? (
          <>
            <Shown repriced={shown} stale={stale} />
            <FiguresMissing
              count={stale ? 0 : shown.without_figures}
              of={{ of: "lots", body: rows }}
            />
          </>
        ) : (
          body !== null && <Loading label="Calculating the preview" />
        )}
      </div>
    </Dialog>
  );
}

const columns: readonly SimpleColumn<PriceChange>[] = [
  {
    header: "Item",
    grow: true,
    cell: (row) => (
      <>
        <span className="font-mono text-muted text-xs">{row.item_number}</span>{" "}
        {[colorWords(row.color_name), row.part_name].filter(Boolean).join(" ")}
      </>
    ),
  },
  { header: "Cond.", cell: (row) => row.condition },
  { header: "Location", cell: (row) => row.location_name ?? "none" },
  { header: "Now", align: "end", cell: (row) => priceText(row.before) },
  { header: "Then", align: "end", cell: (row) => priceText(row.after) },
];
const fromColumn: SimpleColumn<PriceChange> = {
  header: "From",
  cell: (row) => (row.is_marked ? <Badge tone="warning">no data</Badge> : row.found_by),
};
const isFound = (row: PriceChange) => row.is_marked || row.found_by !== "";

function Shown({ repriced, stale }: { repriced: Repriced; stale: boolean }) {
  const { rows, changed, without_data: marked } = repriced;
  return (
    <div className={clsx("flex flex-col gap-3", stale && "opacity-60")} aria-busy={stale}>
      <p role="status" className="font-medium">
        {pricesIn(changed)} {changed === 1 ? "changes" : "change"}: value{" "}
        {valueText(repriced.value_before)} → {valueText(repriced.value_after)}
        {leftOutText(repriced.lots_without_price_after)}
        {marked > 0 && `, ${formatCount(marked)} without price data`}
      </p>
      {rows.length > 0 && (
        <SimpleTable
          caption="What would happen to them"
          // Only the price rule finds figures.
          columns={rows.some(isFound) ? [...columns, fromColumn] : columns}
          rows={rows}
          getKey={(row) => row.id}
        />
      )}
      {rows.length < Math.max(changed, marked) && (
        <p className="text-muted text-xs">The first {formatCount(rows.length)} are shown.</p>
      )}
    </div>
  );
}
