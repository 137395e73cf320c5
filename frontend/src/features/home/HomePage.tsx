import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleDashed, TriangleAlert, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { useUser } from "@/features/auth/public";
import { StartBatch } from "@/features/batches/public";
import { UnsentNotice } from "@/features/outbox/public";
import { formatAgo, formatCount } from "@/shared/lib/format";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { paths, pathTo } from "@/shared/lib/paths";
import { returnText, valueText } from "@/shared/lib/worth";
import { homeQuery } from "@/shared/query/homeQuery";
import { IconButton } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { ErrorState, Loading } from "@/shared/ui/states";
import { Arrive } from "./Arrive";
import { Bricks } from "./Bricks";
import { ContinueCard } from "./ContinueCard";
import { Checklist } from "./FirstSteps";
import type { BatchReturn, Health, Home, Tiles } from "./model";
import { ReturnsCard } from "./ReturnsCard";
import { type Condition, hasPaidBack, marketplaceCondition } from "./rules";
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

/** How much there is, in one quiet line; each figure leads to its list. */
function StockStrip({ figures, currency }: { figures: Tiles; currency: string }) {
  const cells = [
    { label: "In stock", figure: formatCount(figures.stock_pieces), to: paths.inventory },
    { label: "Lots", figure: formatCount(figures.stock_lots), to: paths.inventory },
    {
      label: "Stock value",
      figure: valueText(figures.stock_value, currency),
      to: pathTo("inventory", { ordering: "-price" }),
    },
    { label: "Open batches", figure: formatCount(figures.batches), to: paths.batches },
  ];
  return (
    <ul
      aria-label="Your stock"
      className="grid grid-cols-2 gap-x-8 gap-y-3 sm:max-[119rem]:flex sm:max-[119rem]:flex-wrap"
    >
      {cells.map((cell) => (
        <li key={cell.label}>
          <Link to={cell.to} className="group flex flex-col">
            <span className="text-muted text-xs group-hover:underline">{cell.label}</span>{" "}
            <span className="font-semibold text-2xl/8 tabular-nums tracking-tight">
              {cell.figure}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const icon = "size-4 shrink-0";
const marks: Record<Condition["tone"], ReactNode> = {
  success: <CircleCheck aria-label="well" className={`${icon} text-success`} />,
  warning: <TriangleAlert aria-label="look at it" className={`${icon} text-warning`} />,
  danger: <CircleAlert aria-label="unwell" className={`${icon} text-danger`} />,
  neutral: <CircleDashed aria-label="nothing yet" className={`${icon} text-faint`} />,
};

/** Whether what Brickstow leans on is well, at the foot of the page. */
function HealthLine({ health }: { health: Health }) {
  const { marketplace, recognition, last_import: came, last_backup: copy } = health;
  const now = Date.now();
  const lines: (Condition & { name: string; to: string })[] = [
    {
      name: marketplace.marketplace_name,
      ...marketplaceCondition(marketplace),
      to: pathTo("settings", {}, "integrations"),
    },
    {
      name: recognition.is_demo ? `${recognition.provider} (demo)` : recognition.provider,
      tone: recognition.is_reachable ? "success" : "danger",
      text: recognition.is_reachable ? "recognises pictures" : "does not answer",
      to: paths.stow,
    },
  ];
  if (came) {
    lines.push({
      name: "Last import",
      tone: "success",
      text: `${came.name}, ${formatAgo(came.at, now)}`,
      to: came.into === "batch" ? paths.batches : pathTo("inventory", { acts: 1 }),
    });
  }
  if (copy) {
    lines.push({
      name: copy.of === "everything" ? "Last backup" : "Last export of the inventory",
      tone: "success",
      text: formatAgo(copy.at, now),
      to: pathTo("settings", {}, "backup"),
    });
  }
  return (
    <ul aria-label="Health" className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
      {lines.map((line) => (
        <li key={line.name} className="min-w-0">
          <Link to={line.to} className="group flex items-center gap-2">
            {marks[line.tone]}
            <span className="wrap-anywhere min-w-0">
              <span className="font-medium group-hover:underline">{line.name}</span>{" "}
              <span className="text-muted">{line.text}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const SEEN = "paidBackSeen";

/** The moment when sales have paid for a batch. It stays until it is closed, once per batch. */
function PaidBack(props: { batches: readonly BatchReturn[]; currency: string }) {
  const [seen, setSeen] = useState(() => getSetting<number[]>(SEEN) ?? []);
  const batch = props.batches.find((one) => hasPaidBack(one) && !seen.includes(one.id));
  if (!batch) return null;
  const { id, name, cost, sold, in_stock, paid_back } = batch;
  const text = (amount: number | string) => valueText(amount, props.currency);
  const close = () => {
    const all = [...seen, id];
    setSetting(SEEN, all);
    setSeen(all);
  };
  return (
    <section
      aria-label={`${name} has paid for itself`}
      className="relative flex animate-pop-in items-center gap-8 overflow-hidden rounded-card bg-success-tint p-5 sm:p-8"
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium text-sm text-success">Paid back {returnText(paid_back)}</p>
        <h2 className="wrap-anywhere font-semibold text-2xl tracking-tight sm:text-3xl">
          {name} has paid for itself
        </h2>
        <p className="pt-1">
          Bought for {text(cost)}, sold for {text(sold)}. From here on each sale is profit, and{" "}
          {text(in_stock)} are still in stock.{" "}
          <Link to={pathTo("batches", { batch: id })} className="font-medium underline">
            Open the batch
          </Link>
        </p>
      </div>
      <span className="max-sm:hidden">
        <Bricks />
      </span>
      <div className="absolute top-2 right-2">
        <IconButton label="Close" icon={X} onClick={close} />
      </div>
    </section>
  );
}
