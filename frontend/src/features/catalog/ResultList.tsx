import type { UseQueryResult } from "@tanstack/react-query";
import { clsx } from "clsx";
import type { KeyboardEvent } from "react";
import { Link } from "react-router-dom";
import { counted } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { ItemImage } from "@/shared/ui/ItemImage";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import { TypeTag } from "@/shared/ui/TypeTag";
import { type CatalogItem, type ItemKey, itemKeyOf } from "./model";
import { writeCatalogParams } from "./searchParams";
import { numbersMissed } from "./severalNumbers";

/** What was found, each a link to the item beside it; arrows move along. */
export function ResultList(props: {
  query: UseQueryResult<unknown>;
  items: readonly CatalogItem[];
  stale: boolean;
  search: string;
  open: ItemKey | null;
  params: URLSearchParams;
  onOpen: () => void;
  onMissed: () => void;
}) {
  const { query, items, stale, search, open, params, onOpen, onMissed } = props;
  if (query.isError) return <ErrorState error={query.error} onRetry={query.refetch} />;
  if (query.isPending) return <Loading label="Searching…" />;
  if (items.length === 0 && !stale) {
    return (
      <EmptyState
        title={`Nothing matches “${search}”`}
        actions={<Button onClick={onMissed}>What else to try</Button>}
      />
    );
  }
  const missed = numbersMissed(search, items);
  return (
    <section aria-label="Results" aria-busy={stale} data-results>
      <p role="status" className="sr-only">
        {stale ? "" : counted(items.length, "result")}
      </p>
      {!stale && missed.length > 0 && (
        <p className="mb-2 text-warning">Not in the catalogue: {missed.join(", ")}</p>
      )}
      <ul
        onKeyDown={moveFocus}
        className={clsx(
          "-mx-2 flex flex-col lg:max-h-[calc(100dvh-19rem)] lg:overflow-y-auto",
          stale && "opacity-60",
        )}
      >
        {items.map((item) => {
          const key = itemKeyOf(item);
          const to = `?${writeCatalogParams(params, { item: key })}`;
          return (
            <li key={item.id}>
              <Link
                to={to}
                onClick={onOpen}
                aria-current={key === open || undefined}
                className={clsx(
                  "flex items-center gap-3 rounded-control px-2 py-2 outline-offset-[-2px]",
                  key === open ? "bg-accent-tint" : "hover:bg-hover",
                )}
              >
                <ItemImage src={item.image_url} type={item.item_type} name={item.item_name} />
                <span className="flex min-w-0 flex-1 flex-col">
                  <span className="truncate font-semibold tabular-nums">{item.item_number}</span>
                  <span className="truncate">{item.item_name}</span>
                  {item.category && (
                    <span className="truncate text-muted text-xs">{item.category}</span>
                  )}
                </span>
                <TypeTag type={item.item_type} />
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const links = [...event.currentTarget.querySelectorAll("a")];
  const among: (Element | null)[] = links;
  const at = among.indexOf(document.activeElement);
  links[at + step]?.focus();
}
