import { ChevronDown, RefreshCw } from "lucide-react";
import { useState } from "react";
import { marketplaceQueries, useRefreshPrices } from "@/features/marketplace/public";
import { formatCount } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { Menu } from "@/shared/ui/Menu";
import { useSideQuery } from "@/shared/ui/sideQuery";
import type { CatalogLot } from "./model";

/** The most calls that one lot costs. */
const CALLS = 8;
/** From so many lots on it is asked first: calls are few. */
const MANY = 10;
/** What one request takes. */
const MOST = 500;

/** Asks the marketplace for prices: of the chosen colour, or of all that are shown. */
export function RefreshPrices(props: { lots: readonly CatalogLot[]; chosen: CatalogLot | null }) {
  const { chosen } = props;
  const lots = props.lots.slice(0, MOST);
  const [asking, setAsking] = useState(false);
  const refresh = useRefreshPrices();
  const start = (some: readonly CatalogLot[]) =>
    refresh.mutate(
      some.map(({ id }) => id),
      {
        onSettled: () => setAsking(false),
      },
    );
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button
            loading={refresh.isPending}
            disabledReason={lots.length === 0 && "No colour is shown"}
            icon={RefreshCw}
          >
            Refresh prices
            <ChevronDown aria-hidden="true" className="size-4 text-muted" />
          </Button>
        }
        entries={[
          {
            id: "chosen",
            label: chosen ? `Of ${chosen.color_name}` : "Of the chosen colour",
            disabledReason: chosen ? undefined : "Choose a colour first",
            run: () => chosen && start([chosen]),
          },
          {
            id: "shown",
            label: `Of all ${formatCount(lots.length)} shown`,
            run: () => (lots.length >= MANY ? setAsking(true) : start(lots)),
          },
        ]}
      />
      {asking && (
        <AskForMany
          count={lots.length}
          running={refresh.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => start(lots)}
        />
      )}
    </>
  );
}

function AskForMany(props: {
  count: number;
  running: boolean;
  onClose: () => void;
  onConfirm: () => void;
}) {
  const connection = useSideQuery(marketplaceQueries.connection(), "the calls left today");
  const left = connection?.calls.kinds.find(({ kind }) => kind === "lookup")?.left;
  return (
    <ConfirmDialog
      title={`Refresh the prices of ${formatCount(props.count)} lots?`}
      confirmLabel="Refresh"
      running={props.running}
      onClose={props.onClose}
      onConfirm={props.onConfirm}
    >
      It takes up to {formatCount(props.count * CALLS)} calls to the marketplace
      {left !== undefined && `; ${formatCount(left)} look-ups are left today`}. It can be stopped at
      any time, and the prices got by then stay.
    </ConfirmDialog>
  );
}
