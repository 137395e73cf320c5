import { Link } from "react-router-dom";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { basisNames } from "@/shared/lib/priceRule";
import { ActDialog } from "@/shared/ui/ActDialog";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { Notice } from "@/shared/ui/states";
import { marketplaceQueries } from "../queries";
import type { PricesOf } from "./model";
import { useGetPrices } from "./useGetPrices";

/** Says what getting prices costs in calls and days, and starts it. */
export function GetPricesDialog(props: {
  of: PricesOf;
  /** Lots at most. */
  count: number;
  onClose: () => void;
  onDone?: () => void;
}) {
  const { of, count, onClose, onDone } = props;
  const rule = useSideQuery(marketplaceQueries.priceRule(), "your price rule");
  const run = useSideQuery(marketplaceQueries.priceRun(), "how far the prices are");
  const get = useGetPrices();
  const days = run && run.calls_a_day > 0 ? Math.ceil(count / run.calls_a_day) : 1;
  return (
    <ActDialog
      onClose={onClose}
      title={`Get the prices of ${counted(count, "lot")}`}
      size="md"
      act="Get prices"
      pending={get.isPending}
      onAct={() =>
        get.mutate(of, {
          onSuccess: () => {
            onDone?.();
            onClose();
          },
        })
      }
    >
      <div className="flex flex-col gap-3">
        <p>
          Fetches the figures of your price rule
          {rule && ` (${basisNames[rule.basis].toLowerCase()})`}: one call for a lot, two where
          nothing was sold. Prices that you fetched in the last six hours are not fetched again.
        </p>
        {run && (
          <p>
            {formatCount(run.calls_left_today)} of {formatCount(run.calls_a_day)} calls for prices
            are left today.
            {days > 1 && ` The rest follows by itself within about ${counted(days, "day")}.`} Your
            share of the calls is a setting:{" "}
            <Link to={pathTo("settings", {}, "integrations")} className="text-accent-ink underline">
              Settings, Integrations
            </Link>
            .
          </p>
        )}
        <Notice tone="info">
          This changes none of your prices. Re-price afterwards: a preview shows what would change.
        </Notice>
      </div>
    </ActDialog>
  );
}
