import { RefreshCw } from "lucide-react";
import { idParam } from "@/shared/lib/idParam";
import { CLOSING, useAddress } from "@/shared/lib/useAddress";
import { Button } from "@/shared/ui/Button";
import { lazyPart } from "@/shared/ui/lazyPart";
import { runningSyncOf, useStartStoreSync } from "./mutations";

const StoreSyncDialog = lazyPart(() => import("./StoreSyncDialog").then((m) => m.StoreSyncDialog));

/**
 * Compares stock and store; what differs, and what came of it, is shown at `?storeSync=5`.
 * `batchId`: only what this batch stowed; else the whole stock.
 */
export function useStoreSync(batchId: number | null = null) {
  const [params, change] = useAddress();
  const start = useStartStoreSync({
    tellsFailure: (error: Error) => runningSyncOf(error) === null,
  });
  const shown = idParam(params, "storeSync");
  const show = (id: number) => change({ storeSync: id });
  const compare = (batch: number | null) =>
    start.mutate(batch, {
      onSuccess: ({ id }) => show(id),
      onError: (error) => {
        const running = runningSyncOf(error);
        if (running !== null) show(running);
      },
    });
  return {
    isStarting: start.isPending,
    compare: () => compare(batchId),
    dialog: shown !== null && (
      <StoreSyncDialog
        key={shown}
        id={shown}
        onClose={() => change({ storeSync: null }, CLOSING)}
        onAgain={compare}
        starting={start.isPending}
      />
    ),
  };
}

export function StoreSync({ label = "Sync" }: { label?: string }) {
  const { isStarting, compare, dialog } = useStoreSync();
  return (
    <>
      <Button icon={RefreshCw} loading={isStarting} onClick={compare}>
        {label}
      </Button>
      {dialog}
    </>
  );
}
