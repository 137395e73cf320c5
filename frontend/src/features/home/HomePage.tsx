import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import { useUser } from "@/features/auth/public";
import { ButtonLink } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ErrorState, Loading } from "@/shared/ui/states";
import { ContinueCard } from "./ContinueCard";
import { Checklist, FirstSteps } from "./FirstSteps";
import { HealthCard } from "./HealthCard";
import type { Home } from "./model";
import { QuickLinks } from "./QuickLinks";
import { homeQueries } from "./queries";
import { Tiles } from "./Tiles";
import { ToDoCard } from "./ToDoCard";

const Charts = lazyPart(
  () => import(/* webpackChunkName: "charts" */ "./Charts").then((m) => m.Charts),
  <Loading />,
);

/** Where one stopped, how much there is, what waits. One request. */
export function HomePage() {
  const user = useUser();
  const home = useQuery(homeQueries.home());
  const isNew = home.data?.is_new ?? false;

  return (
    <Page>
      <PageHeader
        title={user?.name ? `Hello, ${user.name}` : "Home"}
        description={isNew ? "Four steps, and the first parts are in their bins." : undefined}
        actions={
          home.data &&
          !isNew && (
            <ButtonLink
              to="/app/reports"
              icon={<ChartColumn aria-hidden="true" className="size-4" />}
            >
              Reports
            </ButtonLink>
          )
        }
      />
      {home.isPending && <Loading />}
      {home.isError && <ErrorState error={home.error} onRetry={() => home.refetch()} />}
      {home.data &&
        (isNew ? <FirstSteps done={home.data.first_steps} /> : <Used home={home.data} />)}
    </Page>
  );
}

function Used({ home }: { home: Home }) {
  return (
    <div className="flex flex-col gap-4">
      <Tiles figures={home.tiles} currency={home.currency} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          {home.last_added ? (
            <ContinueCard last={home.last_added} />
          ) : (
            <Checklist done={home.first_steps} />
          )}
          <HealthCard health={home.health} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <ToDoCard todo={home.to_do} currency={home.currency} />
          <QuickLinks />
        </div>
      </div>
      <Charts home={home} />
    </div>
  );
}
