import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { useCurrency } from "@/features/profile/public";
import { totalOf } from "@/shared/api/envelope";
import { formatCount } from "@/shared/lib/format";
import { returnText, valueText } from "@/shared/lib/worth";
import type { ListParams } from "@/shared/table/column";
import { Card } from "@/shared/ui/Card";
import { DotChart } from "@/shared/ui/charts";
import { Loaded } from "@/shared/ui/states";
import { batchQueries } from "../queries";
import { type Dot, decadesOf, dotsOf } from "./rules";

/** Which purchases paid: each batch that the table shows, by what it cost and what it is worth. */
export function ValueOverCost(props: { params: ListParams; showArchived: boolean }) {
  const query = useQuery({
    ...batchQueries.drawn(props.params, props.showArchived),
    placeholderData: keepPreviousData,
  });
  const currency = useCurrency();
  const { data } = query;
  const dots = data ? dotsOf(data.data) : [];
  return (
    <Card
      title="Value over cost"
      description="Each dot is a batch of the table below. Above the line it is worth more than it cost."
      className="mb-4"
    >
      <Loaded query={query}>
        {() =>
          dots.length === 0 ? (
            <p className="text-muted text-sm">None of these batches has a cost.</p>
          ) : (
            <Plot dots={dots} currency={currency} />
          )
        }
      </Loaded>
      {data && <Beside drawn={dots.length} read={data.data.length} total={totalOf(data)} />}
    </Card>
  );
}

function Beside({ drawn, read, total }: { drawn: number; read: number; total: number }) {
  const told = [
    drawn > 0 && read > drawn && `${formatCount(read - drawn)} without a cost are not drawn.`,
    total > read && `The newest ${formatCount(read)} of ${formatCount(total)} are shown.`,
  ].filter(Boolean);
  return told.length > 0 && <p className="mt-2 text-muted text-xs">{told.join(" ")}</p>;
}

/** The table below names every batch to keyboards and screen readers. */
function Plot({ dots, currency }: { dots: readonly Dot[]; currency: string | undefined }) {
  const navigate = useNavigate();
  const money = (amount: number) => valueText(amount, currency);
  const gains = dots.filter(({ cost, value }) => value >= cost).length;
  return (
    <div>
      <DotChart
        label="What batches are worth over what they cost"
        dots={dots.map(({ id, name, cost, value }) => ({
          id,
          title: name,
          facts: [
            ["Cost", money(cost)],
            ["Worth", money(value)],
            ["Return", returnText(value / cost)],
          ],
          x: cost,
          y: value,
          isGood: value >= cost,
        }))}
        decades={decadesOf(dots.flatMap(({ cost, value }) => [cost, value]))}
        names={{ x: "Cost", y: "Value" }}
        onOpen={(id) => navigate(`?batch=${id}`)}
        className="h-80 w-full 2xl:h-112"
      />
      <p className="mt-2 flex flex-wrap gap-x-4 text-muted text-xs">
        <Key className="border-success bg-success">
          {formatCount(gains)} worth at least their cost
        </Key>
        <Key className="border-danger bg-surface">{formatCount(dots.length - gains)} less</Key>
      </p>
    </div>
  );
}

function Key({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={clsx("size-2.5 rounded-full border-2", className)} />
      <span>{children}</span>
    </span>
  );
}
