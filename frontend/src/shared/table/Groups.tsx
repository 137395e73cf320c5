import { keepPreviousData, type QueryKey, useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { colorWords } from "@/shared/lib/colorNames";
import { counted } from "@/shared/lib/format";
import { leftOutText, valueText } from "@/shared/lib/worth";
import { ColorSwatch } from "@/shared/ui/Badge";
import { PlainButton } from "@/shared/ui/Button";
import { ColorName, ConditionTag, LotName, lotNameOf, type ShownLot } from "@/shared/ui/Lot";
import { Pager } from "@/shared/ui/Pager";
import { priceCell } from "@/shared/ui/Price";
import { SimpleTable } from "@/shared/ui/SimpleTable";
import { ErrorState, Loaded, Loading } from "@/shared/ui/states";
import { filtersOf, type RowSource } from "./column";
import { SearchBox } from "./Toolbar";
import type { TableState } from "./tableState";

/** What the server groups rows by. */
export type GroupBy = "location" | "color";
type By = GroupBy | "state";

/** The sums of the rows in one bin, of one colour or in one state. */
export type Group = {
  id: number | null;
  name: string;
  html: string;
  rows: number;
  lots: number;
  pieces: number;
  value: string;
  lots_without_price: number;
};

type Row = ShownLot &
  Pick<Parameters<typeof ConditionTag>[0], "condition"> & { id: number; price: string | null };

const GROUPS_AT_ONCE = 100;
const ROWS_AT_ONCE = 100;

/**
 * The rows of a list under headings that fold, with the sums of each: bins and colours are many and
 * begin folded, states are few and begin open.
 */
export function Groups<R extends Row>(props: {
  label: string;
  by: By;
  table: TableState;
  groups: RowSource<Group>;
  /** All rows, or those of one group. */
  rows: RowSource<R> | ((group: Group) => RowSource<R>);
  searchLabel: string;
  switcher: ReactNode;
  quantityOf: (row: R) => number;
  binOf: (row: R) => string | null;
  onOpen: (row: R) => void;
  /** What can be done with a group, beside its rows. */
  acts?: (group: Group) => ReactNode;
  empty: ReactNode;
}) {
  const { table, label, groups } = props;
  const params = { ...filtersOf(table.params), page: table.pageIndex + 1 };
  const query = useSource(groups, { ...params, page_size: GROUPS_AT_ONCE });
  return (
    <section aria-label={label} className="rounded-card border border-line bg-surface shadow-card">
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2">
        <SearchBox label={props.searchLabel} state={table} />
        <div className="max-sm:w-full sm:ml-auto">{props.switcher}</div>
      </div>
      <Loaded query={query} empty={props.empty}>
        {({ data, pagination }) => (
          <>
            <ul className="divide-y divide-line">
              {data.map((group) => (
                <li key={group.id}>
                  <Folded {...props} group={group} />
                </li>
              ))}
            </ul>
            <div className="px-3 pb-2">
              <Pager
                page={table.pageIndex + 1}
                pages={pagination?.total_pages ?? 1}
                onPage={(page) => table.setPageIndex(page - 1)}
              />
            </div>
          </>
        )}
      </Loaded>
    </section>
  );
}

const nameOf = (group: Group, by: By) =>
  by === "color" ? colorWords(group.name) || "No colour" : group.name || "No bin";

const filterOf = ({ id }: Group, by: By): Record<string, string> => {
  if (by === "location") return { location: String(id ?? "none") };
  if (by === "color") return id === null ? { is_known: "false" } : { color_id: String(id) };
  return {}; // its rows have a source of their own
};

/** One group: its sums, and its rows once it is open. */
function Folded<R extends Row>(props: Parameters<typeof Groups<R>>[0] & { group: Group }) {
  const { group, by } = props;
  const [isOpen, setOpen] = useState(by === "state");
  const panel = useId();
  return (
    <>
      <PlainButton
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-3 text-left hover:bg-hover"
      >
        <ChevronRight
          aria-hidden="true"
          className={`size-4 shrink-0 text-muted transition-transform ${isOpen ? "rotate-90" : ""}`}
        />
        {by === "color" && group.html && <ColorSwatch html={group.html} />}
        <span className="font-semibold">{nameOf(group, by)}</span>
        <span className="ml-auto flex gap-x-4 text-muted text-sm tabular-nums">
          <span className="min-w-14 text-right">{counted(group.lots, "lot")}</span>
          <span className="min-w-20 text-right">{counted(group.pieces, "piece")}</span>
          <span className="min-w-16 text-right text-ink">
            {valueText(group.value)}
            {leftOutText(group.lots_without_price)}
          </span>
        </span>
      </PlainButton>
      <div id={panel} className="px-3 empty:hidden">
        {isOpen && <RowsOf {...props} />}
      </div>
    </>
  );
}

function RowsOf<R extends Row>(props: Parameters<typeof Groups<R>>[0] & { group: Group }) {
  const { group, by, table, rows, quantityOf, binOf, onOpen } = props;
  const [page, setPage] = useState(1);
  const query = useSource(typeof rows === "function" ? rows(group) : rows, {
    ...filtersOf(table.params),
    ...filterOf(group, by),
    page,
    page_size: ROWS_AT_ONCE,
  });
  if (query.error) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) return <Loading />;
  return (
    <div className="flex flex-col gap-2 pb-3">
      <SimpleTable
        caption={nameOf(group, by)}
        maxHeight="none"
        rows={query.data.data}
        getKey={(row) => row.id}
        columns={[
          {
            header: "Item",
            grow: true,
            cell: (row) => (
              <PlainButton
                className="max-w-full text-left hover:underline"
                onClick={() => onOpen(row)}
              >
                <LotName {...lotNameOf(row)} />
              </PlainButton>
            ),
          },
          ...(by === "color"
            ? []
            : [
                {
                  header: "Colour",
                  phone: "plain" as const,
                  cell: (row: R) => <ColorName name={row.color_name} html={row.color_html} />,
                },
              ]),
          ...(by === "location"
            ? []
            : [
                {
                  header: "Bin",
                  phone: "plain" as const,
                  cell: (row: R) => (
                    <span className="whitespace-nowrap">{binOf(row) ?? "no bin"}</span>
                  ),
                },
              ]),
          {
            header: "Condition",
            phone: "plain",
            cell: (row) => <ConditionTag condition={row.condition} />,
          },
          { header: "Quantity", align: "end", phone: "first", cell: quantityOf },
          { header: "Price", align: "end", phone: "plain", cell: (row) => priceCell(row.price) },
        ]}
      />
      <Pager page={page} pages={query.data.pagination?.total_pages ?? 1} onPage={setPage} />
      {props.acts?.(group)}
    </div>
  );
}

function useSource<R>({ key, fetch }: RowSource<R>, params: Parameters<RowSource<R>["fetch"]>[0]) {
  return useQuery({
    queryKey: [...key, params] as QueryKey,
    queryFn: ({ signal }) => fetch(params, signal),
    placeholderData: keepPreviousData,
  });
}
