import { Box, Footprints, RefreshCw, Truck } from "lucide-react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { counted } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { Button } from "@/shared/ui/Button";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { useStartWalk } from "./mutations";
import { orderQueries } from "./queries";

/**
 * The one thing to do next: continue a walk, pick all that can be picked, pack, ship, or look for
 * new orders.
 */
export function NextStep(step: Step) {
  return useNextStep(step) ?? <Look {...step} />;
}

type Step = {
  /** Reads the store. */
  onRefresh: () => void;
  refreshing: boolean;
  /** Not this order: it is open already. */
  except?: number;
  autoFocus?: boolean;
};

export function Look({ onRefresh, refreshing, autoFocus }: Step) {
  return (
    <Button
      variant="primary"
      autoFocus={autoFocus}
      loading={refreshing}
      icon={RefreshCw}
      onClick={onRefresh}
    >
      Check for orders
    </Button>
  );
}

/** The button of the next step; null where nothing waits. */
export function useNextStep({ except, autoFocus }: Step): ReactNode {
  const waiting = useSideQuery(orderQueries.waiting(), "how many orders wait");
  const walks = useSideQuery(orderQueries.walks(), "your open walks");
  const navigate = useNavigate();
  const start = useStartWalk();
  const walk = walks?.[0];
  if (walk) {
    return (
      <Button
        variant="primary"
        autoFocus={autoFocus}
        icon={Footprints}
        onClick={() => void navigate(pathTo("orders", { walk: walk.id }))}
      >
        Continue the walk
      </Button>
    );
  }
  if (waiting && waiting.pickable > 0) {
    return (
      <Button
        variant="primary"
        autoFocus={autoFocus}
        loading={start.isPending}
        icon={Footprints}
        onClick={() =>
          start.mutate(undefined, {
            onSuccess: (made) => void navigate(pathTo("orders", { walk: made.id })),
          })
        }
      >
        Pick {counted(waiting.pickable, "order")}
      </Button>
    );
  }
  const { next_to_pack: toPack = null, next_to_ship: toShip = null } = waiting ?? {};
  const [order, verb, Icon] =
    toPack !== null && toPack !== except
      ? ([toPack, `Pack ${counted(waiting?.to_pack ?? 1, "order")}`, Box] as const)
      : ([toShip, `Ship ${counted(waiting?.to_ship ?? 1, "order")}`, Truck] as const);
  if (order !== null && order !== except) {
    return (
      <Button
        variant="primary"
        autoFocus={autoFocus}
        icon={Icon}
        onClick={() => void navigate(pathTo("orders", { order }))}
      >
        {verb}
      </Button>
    );
  }
  return null;
}
