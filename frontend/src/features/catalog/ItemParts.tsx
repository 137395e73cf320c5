import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { totalOf } from "@/shared/api/envelope";
import { formatCount } from "@/shared/lib/format";
import { paths } from "@/shared/lib/paths";
import { ColorSwatch } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import { Tabs } from "@/shared/ui/Tabs";
import { TypeTag } from "@/shared/ui/TypeTag";
import { type CatalogItem, type Component, type ItemKey, itemKeyOf } from "./model";
import { catalogQueries } from "./queries";
import { writeCatalogParams } from "./searchParams";

const STEP = 25;

/** What an item is a part of, and what it is made of. */
export function ItemParts({ item }: { item: CatalogItem }) {
  const isWhole = item.item_type === "SET" || item.item_type === "MINIFIG";
  const [tab, setTab] = useState(isWhole ? "contains" : "appears");
  return (
    <Card>
      <Tabs
        label="Parts"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: "appears", label: "Appears in", panel: <AppearsIn item={item} /> },
          { value: "contains", label: "Contains", panel: <Contains item={item} /> },
        ]}
      />
    </Card>
  );
}

function AppearsIn({ item }: { item: CatalogItem }) {
  const [limit, setLimit] = useState(STEP);
  const found = useQuery(catalogQueries.appearsIn(item.id, null, limit));
  if (found.isError) return <ErrorState error={found.error} onRetry={found.refetch} />;
  if (found.isPending) return <Loading />;
  const { data } = found.data;
  const total = totalOf(found.data);
  if (total === 0) {
    return (
      <EmptyState title="In no set or figure that is listed here">
        The full catalogue knows more than the starter one.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <ul aria-label="Appears in" className="flex flex-col">
        {data.map((row) => (
          <li key={row.id} className="flex items-center gap-3 border-line border-b py-1.5">
            <TypeTag type={row.item_type} short />
            <ItemLink item={itemKeyOf(row)} number={row.item_number} name={row.item_name} />
            <span className="ml-auto text-muted tabular-nums">{formatCount(row.quantity)} ×</span>
          </li>
        ))}
      </ul>
      {data.length < total && (
        <Button
          className="self-start"
          loading={found.isPlaceholderData}
          onClick={() => setLimit((now) => Math.min(now + 4 * STEP, 500))}
          disabledReason={limit >= 500 && "The first 500 are shown"}
        >
          Show more of {formatCount(total)}
        </Button>
      )}
    </div>
  );
}

function Contains({ item }: { item: CatalogItem }) {
  const found = useQuery(catalogQueries.contents(item.id));
  if (found.isError) return <ErrorState error={found.error} onRetry={found.refetch} />;
  if (found.isPending) return <Loading />;
  const { data } = found.data;
  if (data.length === 0) {
    return (
      <EmptyState title="No parts of it are listed">
        It is one piece, or its parts are not in the catalogue.
      </EmptyState>
    );
  }
  const total = totalOf(found.data);
  return (
    <div className="flex flex-col gap-2">
      <ul aria-label="Contains" className="flex max-h-96 flex-col overflow-y-auto">
        {data.map((row) => (
          <li key={row.id} className="flex items-center gap-3 border-line border-b py-1.5">
            <span className="w-10 shrink-0 text-right font-semibold tabular-nums">
              {formatCount(row.quantity)}
            </span>
            <ColorSwatch html={row.color_html} />
            <ItemLink
              item={itemKeyOf(row)}
              number={row.item_number}
              name={[row.color_id ? row.color_name : "", row.item_name].filter(Boolean).join(" ")}
            />
            <span className="ml-auto text-muted text-xs">{roleOf(row)}</span>
          </li>
        ))}
      </ul>
      {data.length < total && (
        <p className="text-muted text-xs">
          The first {formatCount(data.length)} of {formatCount(total)} lines.
        </p>
      )}
    </div>
  );
}

function roleOf(row: Component): string {
  if (row.is_counterpart) return "assembled form";
  if (row.is_alternate) return "alternate";
  return row.is_spare ? "spare" : "";
}

function ItemLink({ item, number, name }: { item: ItemKey; number: string; name: string }) {
  const [params] = useSearchParams();
  return (
    <Link
      to={`${paths.catalog}?${writeCatalogParams(params, { item })}`}
      className="min-w-0 truncate hover:underline"
    >
      <span className="font-semibold tabular-nums">{number}</span> {name}
    </Link>
  );
}
