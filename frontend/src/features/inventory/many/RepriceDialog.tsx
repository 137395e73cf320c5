import { useState } from "react";
import { FiguresMissing, OldFigures } from "@/features/marketplace/public";
import { isJob } from "@/shared/api/startedJobs";
import { PreviewedActDialog } from "@/shared/form/PreviewedActDialog";
import { RepricedRows } from "@/shared/form/RepricedRows";
import { RepricingFields } from "@/shared/form/RepricingFields";
import {
  FIRST_REPRICING,
  type Repricing,
  repricingBody,
  whyNotReprice,
  whyNotYet,
} from "@/shared/form/repricing";
import { colorWords } from "@/shared/lib/colorNames";
import { counted, formatCount } from "@/shared/lib/format";
import { leftOutText, valueText } from "@/shared/lib/worth";
import type { SimpleColumn } from "@/shared/ui/SimpleTable";
import { useTellAct } from "../acts";
import type { ChosenRows } from "../model";
import { rowsIn } from "../rules";
import {
  type PriceChange,
  type Repriced,
  reprice,
  useReprice,
  useRepricingPreview,
} from "./repricing";

const pricesIn = (count: number) => counted(count, "price");

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
  const preview = useRepricingPreview(rows, body);
  const mutation = useReprice();
  const tell = useTellAct();

  const act = () => {
    if (body === null) return;
    const call = { rows, how: body };
    const again = async () => {
      const done = await reprice(call);
      return isJob(done) ? null : done.act_id;
    };
    mutation.mutate(call, {
      onSuccess: (done) => {
        if (!isJob(done)) tell(`${pricesIn(done.changed)} changed`, done.act_id, again);
        onDone?.();
        onClose();
      },
    });
  };

  return (
    <PreviewedActDialog
      onClose={onClose}
      title={`Re-price ${rowsIn(count)}`}
      description="The next sync updates them in the store."
      size="xl"
      act="Change prices"
      pending={mutation.isPending}
      onAct={act}
      preview={preview}
      missing={problem}
      idle={(repriced) => whyNotYet(values, repriced)}
      show={(repriced) => (
        <>
          <Shown repriced={repriced} values={values} onChange={setValues} />
          <FiguresMissing
            count={preview.isStale ? 0 : repriced.without_figures}
            of={{ of: "lots", body: rows }}
          />
          <OldFigures
            count={repriced.old_figures}
            since={repriced.figuresSince}
            beingFetched={repriced.being_fetched}
            areUsed={values.useOldFigures}
            onLookAgain={preview.retry}
            onUseOld={() => setValues({ ...values, useOldFigures: true })}
          />
        </>
      )}
    >
      <RepricingFields values={values} onChange={setValues} />
    </PreviewedActDialog>
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
  {
    header: "Bin",
    cell: (row) => <span className="whitespace-nowrap">{row.location_name ?? "no bin"}</span>,
  },
];

function Shown(props: {
  repriced: Repriced;
  values: Repricing;
  onChange: (values: Repricing) => void;
}) {
  const { repriced, values, onChange } = props;
  const { changed, without_data: marked, locked } = repriced;
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="font-medium">
        {pricesIn(changed)} {changed === 1 ? "changes" : "change"}: value{" "}
        {valueText(repriced.value_before)} → {valueText(repriced.value_after)}
        {leftOutText(repriced.lots_without_price_after)}
        {marked > 0 && `, ${formatCount(marked)} without price data`}
        {locked > 0 && `, ${formatCount(locked)} locked`}
      </p>
      <RepricedRows
        rows={repriced.rows}
        count={repriced.shown_count}
        largest={repriced.largest}
        columns={columns}
        nameOf={nameOf}
        values={values}
        onChange={onChange}
      />
    </div>
  );
}

const nameOf = (row: PriceChange) =>
  [row.item_number, colorWords(row.color_name), row.part_name].filter(Boolean).join(" ");
