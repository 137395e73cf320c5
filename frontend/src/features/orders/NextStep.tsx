import { Box, Footprints, RefreshCw, Truck } from "lucide-react";
import type { ReactNode } from "react";
import type { Schema } from "@/shared/api/wire";
import { counted } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { lateFocus } from "@/shared/ui/lateFocus";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { useStartWalk } from "./mutations";
import { orderQueries } from "./queries";
import { useShowOrders } from "./useOrdersPath";

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
  takesFocus?: boolean;
};

export function Look({ onRefresh, refreshing, takesFocus }: Step) {
  return (
    <Button
      variant="primary"
      ref={takesFocus ? lateFocus : undefined}
      loading={refreshing}
      icon={RefreshCw}
      onClick={onRefresh}
    >
      Check for orders
    </Button>
  );
}

/** The button of the next step; null where nothing waits. */
export function useNextStep({ except, takesFocus }: Step): ReactNode {
  const waiting = useSideQuery(orderQueries.waiting(), "how many orders wait");
  const walks = useSideQuery(orderQueries.walks(), "your open walks");
  const show = useShowOrders();
  const start = useStartWalk();
  const next = nextOf(waiting, walks?.[0]?.id, except);
  return (
    next && (
      <Button
        variant="primary"
        ref={takesFocus ? lateFocus : undefined}
        loading={start.isPending}
        icon={next.icon}
        onClick={() =>
          next.shown
            ? show(next.shown)
            : start.mutate(undefined, { onSuccess: ({ id }) => show({ walk: id }) })
        }
      >
        {next.label}
      </Button>
    )
  );
}

/** The step and where it leads; one that leads nowhere starts a walk. */
function nextOf(waiting: Schema<"WaitingRow"> | undefined, walk?: number, except?: number) {
  if (walk) return { icon: Footprints, label: "Continue the walk", shown: { walk } };
  if (!waiting) return null;
  const { pickable, next_to_pack: toPack, next_to_ship: toShip, to_pack, to_ship } = waiting;
  if (pickable > 0) return { icon: Footprints, label: `Pick ${counted(pickable, "order")}` };
  if (toPack !== null && toPack !== except)
    return { icon: Box, label: `Pack ${counted(to_pack, "order")}`, shown: { order: toPack } };
  if (toShip !== null && toShip !== except)
    return { icon: Truck, label: `Ship ${counted(to_ship, "order")}`, shown: { order: toShip } };
  return null;
}
