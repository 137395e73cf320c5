import { followJob } from "@/features/jobs/public";
import { counted, formatDateTime } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { Notice, ProgressBar } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { marketplaceQueries } from "../queries";
import { isLive, type PriceRun } from "./model";
import { useGetPrices, useStopPrices } from "./useGetPrices";

/** How far *Get prices* is, wherever prices are looked at; nothing while none are waited for. */
export function PriceRunNotice() {
  const run = useSideQuery(marketplaceQueries.priceRun(), "how far the prices are");
  if (!run || run.lots_left === 0) return null;
  const notice = isLive(run) ? (
    <Running run={run} />
  ) : (
    run.state === "failed" && <Failed run={run} />
  );
  return notice && <div className="mb-3">{notice}</div>;
}

function Running({ run }: { run: PriceRun }) {
  // The toast of its job says that it was stopped, also of one that another tab started.
  const stop = useStopPrices(() => run.job_id && followJob(run.job_id));
  const { lots_done: done, lots_left: left, waitsUntil } = run;
  return (
    <Notice tone="info" title="Getting prices">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-56 grow">
          <ProgressBar label="Lots done" done={done} total={done + left} />
        </div>
        <Button size="sm" loading={stop.isPending} onClick={() => stop.mutate()}>
          Stop
        </Button>
      </div>
      <p>
        {waitsUntil
          ? `${run.message} It continues by itself on ${formatDateTime(waitsUntil)}.`
          : `${counted(left, "lot")} left, those with the most money at stake first.`}
        {run.expectedAt && ` Done about ${formatDateTime(run.expectedAt)}.`}
      </p>
    </Notice>
  );
}

function Failed({ run }: { run: PriceRun }) {
  const goOn = useGetPrices();
  const stop = useStopPrices(() => toast.info("No more prices are fetched"));
  return (
    <Notice
      tone="warning"
      title={`The prices of ${counted(run.lots_left, "lot")} are not there yet`}
    >
      <p>{run.message}</p>
      <div className="mt-2 flex gap-2">
        <Button
          size="sm"
          loading={goOn.isPending}
          onClick={() => goOn.mutate({ of: "lots", body: {} })}
        >
          Go on
        </Button>
        <Button size="sm" variant="ghost" loading={stop.isPending} onClick={() => stop.mutate()}>
          Leave it
        </Button>
      </div>
    </Notice>
  );
}
