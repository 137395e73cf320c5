import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useUser } from "@/features/auth/public";
import { StartBatch } from "@/features/batches/public";
import { UnsentNotice } from "@/features/outbox/public";
import { homeQuery } from "@/shared/query/homeQuery";
import { Page, PageHeader } from "@/shared/ui/Card";
import { ErrorState, Loading } from "@/shared/ui/states";
import { Arrive } from "./Arrive";
import { ContinueCard } from "./ContinueCard";
import { Checklist } from "./FirstSteps";
import { HealthLine } from "./HealthLine";
import type { Home } from "./model";
import { PaidBack } from "./PaidBack";
import { ReturnsCard } from "./ReturnsCard";
import { StockStrip } from "./StockStrip";
import { WaitingList } from "./WaitingList";

/** Where one stopped, how much there is, what waits. One request. */
export function HomePage() {
  const user = useUser();
  const home = useQuery(homeQuery());
  const isNew = home.data?.is_new ?? false;
  // After an import elsewhere the first screen of an empty account would flash up once more.
  const [beganOutdated] = useState(isNew && home.isFetching);
  const isOutdated = beganOutdated && isNew && home.isFetching && !home.isFetchedAfterMount;

  return (
    <Page wide>
      <div className="mx-auto max-w-[80rem] min-[119rem]:max-w-[125rem]">
        <PageHeader
          title={user?.name ? `Hello, ${user.name}` : "Home"}
          actions={home.data && !isNew && <StartBatch />}
        />
        <UnsentNotice />
        {(home.isPending || isOutdated) && <Loading />}
        {home.isError && <ErrorState error={home.error} onRetry={() => home.refetch()} />}
        {home.data &&
          !isOutdated &&
          (isNew ? <Arrive done={home.data.first_steps} /> : <Used home={home.data} />)}
      </div>
    </Page>
  );
}

function Used({ home }: { home: Home }) {
  return (
    <div className="flex flex-col gap-8">
      <PaidBack batches={home.batch_returns} currency={home.currency} />
      {home.last_added && <ContinueCard last={home.last_added} today={home.today} />}
      <div className="grid items-start gap-8 lg:grid-cols-[1.6fr_1fr] min-[119rem]:grid-cols-[1.4fr_1fr_0.7fr]">
        <WaitingList lines={home.waiting} currency={home.currency} />
        <ReturnsCard batches={home.batch_returns} currency={home.currency} />
        <div className="flex flex-col gap-8 lg:col-span-2 min-[119rem]:col-span-1">
          <StockStrip figures={home.tiles} currency={home.currency} />
          <Checklist done={home.first_steps} />
          <HealthLine health={home.health} />
        </div>
      </div>
    </div>
  );
}
