import { useQuery } from "@tanstack/react-query";
import { Check, CircleHelp } from "lucide-react";
import { useState } from "react";
import { CatalogFiles } from "@/features/catalog/public";
import { useHasStore } from "@/features/marketplace/public";
import { isJob } from "@/shared/api/startedJobs";
import { counted } from "@/shared/lib/format";
import { paths } from "@/shared/lib/paths";
import { useAddress } from "@/shared/lib/useAddress";
import { BackLink } from "@/shared/ui/BackLink";
import { Button } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { Select } from "@/shared/ui/Field";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Pager } from "@/shared/ui/Pager";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState, Loaded, Notice } from "@/shared/ui/states";
import { useTellAct } from "./acts";
import {
  type Renumbered as Item,
  keyOf,
  type Ordering,
  PAGE_SIZE,
  renumberedQuery,
  sureCandidate,
  type Unknown,
  unknownQuery,
  useKeepAsOwn,
  useLookUp,
  useNameItem,
  useRenumber,
} from "./unknown/model";
import { UnknownCard } from "./unknown/UnknownCard";
import { UnknownWords } from "./unknown/UnknownWords";

const FindItem = lazyPart(() => import("./unknown/FindItem").then((m) => m.FindItem));

const orders: { value: Ordering; label: string }[] = [
  { value: "-value", label: "Most money first" },
  { value: "-lots", label: "Most lots first" },
  { value: "item_number", label: "By number" },
];

/** The numbers in stock and in batches that the catalogue does not know, each with what it may be. */
export function UnknownItemsPage() {
  const [address, change] = useAddress();
  const own = address.get("own") === "true";
  const page = Math.max(1, Number.parseInt(address.get("page") ?? "1", 10) || 1);
  const ordering = orders.find(({ value }) => value === address.get("ordering"))?.value ?? "-value";
  const show = (changes: Record<string, string | null>) => change({ page: null, ...changes });
  const query = useQuery(unknownQuery({ own, page, ordering }));
  const [searched, setSearched] = useState<Unknown | null>(null);
  const acts = useActs();
  const rows = query.data?.data ?? [];
  const total = query.data?.pagination?.total_items ?? 0;
  const sure = own ? [] : rows.filter((row) => sureCandidate(row));

  return (
    <Page>
      <BackLink to={paths.inventory}>Inventory</BackLink>
      <PageHeader
        title="Unknown items"
        description="These numbers are not in the catalogue. Choose the item for each: it then counts for all its lots and for later imports."
        actions={
          sure.length > 0 && (
            <Button
              variant="primary"
              icon={Check}
              loading={acts.isNamingAll}
              onClick={() => acts.nameAll(sure)}
            >
              Name {counted(sure.length, "sure one")}
            </Button>
          )
        }
      />
      <Renumbered />
      <UnknownWords field="condition" />
      <UnknownWords field="color" />
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <SegmentedControl
          label="Which ones"
          value={own ? "own" : "open"}
          options={{ open: "To name", own: "Own items" }}
          onChange={(next) => show({ own: next === "own" ? "true" : null })}
        />
        {total > 1 && (
          <div className="w-44">
            <Select
              aria-label="Order"
              value={ordering}
              onChange={(event) => show({ ordering: event.target.value })}
              options={orders}
            />
          </div>
        )}
      </div>
      {!own && rows.some(({ candidates }) => candidates.length === 0) && (
        <p className="mb-3 max-w-3xl text-muted text-sm">
          Where no picture is shown, the catalogue has no similar number: it may be older than the
          part, or the number is your own. Find the item by its name, or keep it as your own.
        </p>
      )}
      {!own && <CatalogFiles />}
      <Loaded
        query={query}
        empty={
          <EmptyState
            icon={CircleHelp}
            title={own ? "No own items" : "Everything is in the catalogue"}
          >
            {own
              ? "What you keep as an item of your own is listed here."
              : "Numbers from imports that are not in the catalogue appear here."}
          </EmptyState>
        }
      >
        {({ data }) => (
          <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface shadow-card">
            {data.map((row) => (
              <UnknownCard
                key={keyOf(row)}
                unknown={row}
                isBusy={acts.busy === keyOf(row)}
                onName={(candidate) => acts.name(row, candidate.item_id, candidate.item_number)}
                onSearch={() => setSearched(row)}
                onLookUp={acts.hasStore ? () => acts.lookUp(row) : null}
                onKeep={own ? null : () => acts.keep(row)}
              />
            ))}
          </ul>
        )}
      </Loaded>
      <Pager
        page={page}
        pages={Math.ceil(total / PAGE_SIZE)}
        onPage={(next) => show({ page: String(next) })}
      />
      {searched && (
        <FindItem
          unknown={searched}
          onClose={() => setSearched(null)}
          onFound={(item) => {
            setSearched(null);
            acts.name(searched, item.id, item.item_number);
          }}
        />
      )}
    </Page>
  );
}

/** What is done to numbers, each with an undo in its toast. */
function useActs() {
  const naming = useNameItem();
  const looking = useLookUp();
  const keeping = useKeepAsOwn();
  const tell = useTellAct();
  const hasStore = useHasStore();
  const [isNamingAll, setNamingAll] = useState(false);
  const told =
    (unknown: Unknown, what: string) =>
    (answer: Awaited<ReturnType<typeof naming.mutateAsync>>) => {
      if (isJob(answer)) return;
      const left = answer.refused.length;
      const because = left ? ` ${counted(left, "lot")} stayed: ${answer.refused[0]?.message}` : "";
      tell(
        `${labelOf(unknown)} is ${what}: ${counted(answer.item_count, "lot")}.${because}`,
        answer.act_id,
      );
    };
  const name = (unknown: Unknown, itemId: number, number: string) =>
    naming.mutate({ unknown, itemId }, { onSuccess: told(unknown, number) });
  return {
    hasStore,
    isNamingAll,
    busy: naming.isPending
      ? keyOf(naming.variables.unknown)
      : looking.isPending
        ? keyOf(looking.variables)
        : keeping.isPending
          ? keyOf(keeping.variables)
          : null,
    name,
    nameAll: async (rows: readonly Unknown[]) => {
      setNamingAll(true);
      try {
        for (const unknown of rows) {
          const candidate = sureCandidate(unknown);
          if (!candidate) continue;
          const answer = await naming.mutateAsync({ unknown, itemId: candidate.item_id });
          told(unknown, candidate.item_number)(answer);
        }
      } catch {
        // The mutation says why; what was named before it stays named.
      } finally {
        setNamingAll(false);
      }
    },
    lookUp: (unknown: Unknown) => {
      const { id } = unknown;
      if (id === null) return;
      looking.mutate({ ...unknown, id }, { onSuccess: told(unknown, "named by the marketplace") });
    },
    keep: (unknown: Unknown) =>
      keeping.mutate(unknown, {
        onSuccess: (answer) => tell(`${labelOf(unknown)} is an own item`, answer.act_id),
      }),
  };
}

const labelOf = (unknown: Unknown) => unknown.item_number || unknown.part_name || "The item";

const MOST_SHOWN = 8;

/** The items of these lots that the catalogue moved to another number, and the act that follows. */
function Renumbered() {
  const data = useSideQuery(renumberedQuery(), "the moved numbers");
  const renumbering = useRenumber();
  const tell = useTellAct();
  if (!data || data.length === 0) return null;
  const lots = data.reduce((sum, item) => sum + rowsOf(item), 0);
  const listed = data.reduce((sum, item) => sum + item.listed, 0);
  const change = () =>
    renumbering.mutate(undefined, {
      onSuccess: (answer) => {
        if (isJob(answer)) return;
        const left = answer.refused.length;
        const because = left
          ? ` ${counted(left, "lot")} stayed: ${answer.refused[0]?.message}`
          : "";
        tell(`New numbers for ${counted(answer.item_count, "lot")}.${because}`, answer.act_id);
      },
    });
  return (
    <div className="mb-4">
      <Notice
        tone="info"
        title={`The catalogue moved ${counted(data.length, "item")} to another number`}
        actions={
          <Button size="sm" variant="primary" loading={renumbering.isPending} onClick={change}>
            Change {counted(lots, "lot")}
          </Button>
        }
      >
        <ul aria-label="Moved numbers" className="flex flex-col gap-1">
          {data.slice(0, MOST_SHOWN).map((item) => (
            <li key={item.item_id} className="wrap-anywhere">
              <span className="font-mono text-xs">{item.old_number}</span> is{" "}
              <span className="font-mono text-xs">{item.new_number}</span>, {item.item_name}:{" "}
              {whereText(item)}
            </li>
          ))}
        </ul>
        {data.length > MOST_SHOWN && <p>and {counted(data.length - MOST_SHOWN, "more item")}.</p>}
        {listed > 0 && (
          <p>
            {counted(listed, "lot")} of your store {listed === 1 ? "follows" : "follow"} with the
            next sync.
          </p>
        )}
      </Notice>
    </div>
  );
}

const rowsOf = (item: Item) => item.lots + item.batch_lots + item.set_parts + item.order_lines;

const whereText = ({ lots, batch_lots, set_parts, order_lines }: Item) =>
  [
    lots && `${counted(lots, "lot")} in stock`,
    batch_lots && `${counted(batch_lots, "lot")} in batches`,
    set_parts && `${counted(set_parts, "lot")} of sets`,
    order_lines && `${counted(order_lines, "lot")} of open orders`,
  ]
    .filter(Boolean)
    .join(", ");
