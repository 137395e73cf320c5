import { useState } from "react";
import { FiguresMissing, OldFigures } from "@/features/marketplace/public";
import { RepricedRows } from "@/shared/form/RepricedRows";
import { RepricingFields } from "@/shared/form/RepricingFields";
import { FIRST_REPRICING, repricingBody, whyNotReprice, whyNotYet } from "@/shared/form/repricing";
import { counted, formatCount } from "@/shared/lib/format";
import { leftOutText, valueText } from "@/shared/lib/worth";
import type { Acted } from "../model";
import { ActFrame, type ActProps, figure, lots, nameColumn } from "./ActFrame";

/** Other prices for many items: by the price rule, so much more or less, or one for all. */
export function RepriceDialog({ act }: { act: ActProps }) {
  const [values, setValues] = useState(FIRST_REPRICING);
  const problem = whyNotReprice(values);
  return (
    <ActFrame
      act={act}
      verb="reprice"
      title={`Re-price ${lots(act.count)}`}
      description="Stowed items take their stock with them; listed ones are marked as changed."
      options={problem ? null : repricingBody(values)}
      missing={problem ?? undefined}
      doLabel="Change prices"
      summary={(acted) => (
        <>
          {counted(figure(acted, "changed"), "price changes", "prices change")}: value{" "}
          {valueText(figure(acted, "value_before"))} → {valueText(figure(acted, "value_after"))}
          {leftOutText(figure(acted, "lots_without_price_after"))}
          {figure(acted, "without_data") > 0 &&
            `, ${formatCount(figure(acted, "without_data"))} without price data`}
          {figure(acted, "locked") > 0 && `, ${formatCount(figure(acted, "locked"))} locked`}
        </>
      )}
      idle={(acted) =>
        whyNotYet(values, {
          changed: figure(acted, "changed"),
          without_figures: figure(acted, "without_figures"),
          being_fetched: figure(acted, "being_fetched"),
        })
      }
      note={(acted, lookAgain) => (
        <>
          <FiguresMissing
            count={figure(acted, "without_figures")}
            of={{ of: "batch", id: act.batchId, body: { items: act.items } }}
          />
          <OldFigures
            count={figure(acted, "old_figures")}
            since={sinceOf(acted)}
            beingFetched={figure(acted, "being_fetched")}
            areUsed={values.useOldFigures}
            onLookAgain={lookAgain}
            onUseOld={() => setValues({ ...values, useOldFigures: true })}
          />
        </>
      )}
      rows={(acted) => (
        <RepricedRows
          rows={acted.rows}
          count={figure(acted, "shown_count")}
          largest={acted.largest}
          columns={[nameColumn]}
          nameOf={(row) => row.name}
          values={values}
          onChange={setValues}
        />
      )}
    >
      <RepricingFields values={values} onChange={setValues} />
    </ActFrame>
  );
}

const sinceOf = ({ figures }: Acted): string | null =>
  typeof figures.figuresSince === "string" ? figures.figuresSince : null;
