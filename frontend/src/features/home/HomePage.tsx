import { useQuery } from "@tanstack/react-query";
import { useUser } from "@/features/auth/public";
import { useClientState } from "@/shared/store/clientStore";
import { Page, PageHeader } from "@/shared/ui/Card";
import { ErrorState } from "@/shared/ui/states";
import { ContinueCard } from "./ContinueCard";
import { FirstSteps } from "./FirstSteps";
import { QuickLinks } from "./QuickLinks";
import { homeQueries } from "./queries";
import { Tiles } from "./Tiles";

export function HomePage() {
  const user = useUser();
  const counts = useQuery(homeQueries.counts());
  const last = useClientState("lastBatchItemAdded");
  const { data } = counts;
  const isNew = data && data.lots + data.batches + data.locations === 0;

  return (
    <Page>
      <PageHeader
        title={user?.name ? `Hello, ${user.name}` : "Home"}
        description={isNew ? "Three steps, and the first parts are in their bins." : undefined}
      />
      {counts.isError && <ErrorState error={counts.error} onRetry={() => counts.refetch()} />}
      {isNew ? (
        <FirstSteps />
      ) : (
        <div className="flex flex-col gap-4">
          <Tiles counts={data} />
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <ContinueCard last={last} />
            <QuickLinks />
          </div>
        </div>
      )}
    </Page>
  );
}
