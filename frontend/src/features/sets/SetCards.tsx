import { useQuery } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { numberOf, whyNotWhole } from "@/shared/lib/amounts";
import { formatCount, formatMoney } from "@/shared/lib/format";
import { agedText, valueText } from "@/shared/lib/worth";
import { CardPages } from "@/shared/table/CardPages";
import type { TableState } from "@/shared/table/tableState";
import { useTypedText } from "@/shared/table/useTypedText";
import { Button, IconButton } from "@/shared/ui/Button";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { ItemImage } from "@/shared/ui/ItemImage";
import { Menu, type MenuEntry } from "@/shared/ui/Menu";
import { EmptyState } from "@/shared/ui/states";
import { StateBadge } from "./columns";
import { stateOptions, type UserSet } from "./model";
import { partsWorth } from "./partsWorth";
import { setQueries } from "./queries";
import { Ring } from "./Ring";
import { lastTheme } from "./rules";

const PAGE_SIZE = 24;

/** Sets as cards, each with how far it is as a ring. */
export function SetCards(props: {
  table: TableState;
  actionsOf: (set: UserSet) => MenuEntry[];
  empty: ReactNode;
  /** The switch to the table. */
  children: ReactNode;
}) {
  const { table, actionsOf, empty } = props;
  const params = { ...table.params, page: table.pageIndex + 1, page_size: PAGE_SIZE };
  const sets = useQuery(setQueries.cards(params));
  const nothing = (
    <EmptyState
      title="Nothing matches"
      actions={<Button onClick={table.clearNarrowing}>Clear search and filters</Button>}
    />
  );
  return (
    <section aria-label="Sets" className="flex flex-col gap-4">
      <Filters table={table}>{props.children}</Filters>
      <CardPages
        table={table}
        query={sets}
        pageSize={PAGE_SIZE}
        what="sets"
        className="grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))]"
        empty={table.isNarrowed ? nothing : empty}
      >
        {(set) => (
          <li key={set.id} className="grid">
            <SetCard set={set} entries={actionsOf(set)} />
          </li>
        )}
      </CardPages>
    </section>
  );
}

function SetCard({ set, entries }: { set: UserSet; entries: MenuEntry[] }) {
  return (
    <article
      aria-label={`${set.number} ${set.name}`}
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-3 shadow-card"
    >
      <div className="flex items-start gap-3">
        <ItemImage src={set.image_url} type="SET" name={set.name} size="md" />
        <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
          <Link
            to={`?set=${set.id}`}
            title={set.name}
            className="line-clamp-2 break-words font-medium text-sm hover:text-accent-ink hover:underline"
          >
            {set.name}
          </Link>
          <span className="font-mono text-muted text-xs">
            {[set.number, set.year].filter(Boolean).join(" · ")}
          </span>
          <StateBadge state={set.state} />
        </div>
        <Ring percent={set.percent} size="md" />
      </div>
      <dl className="grid grid-cols-3 gap-x-3 gap-y-1 text-sm">
        <Fact label="Missing">
          {set.percent === null ? "unknown" : formatCount(set.pieces_missing)}
        </Fact>
        <Fact label="Minifigs">
          {set.minifigs_required === 0
            ? "–"
            : `${formatCount(set.minifigs_on_hand)} of ${formatCount(set.minifigs_required)}`}
        </Fact>
        <Fact label="Quantity">{formatCount(set.quantity)}</Fact>
        <Fact label="Value">{valueText(set.value)}</Fact>
        <Fact label="In parts">{partsWorth(set)}</Fact>
        <Fact label="Paid">{formatMoney(set.price_paid)}</Fact>
      </dl>
      {set.figuresAt && <p className="text-muted text-xs">Market {agedText(set.figuresAt)}</p>}
      <div className="mt-auto flex items-center justify-between gap-2">
        <span className="truncate text-muted text-xs" title={set.theme}>
          {[lastTheme(set.theme), set.location_name].filter(Boolean).join(" · ")}
        </span>
        <Menu
          trigger={<IconButton label={`Actions of ${set.number}`} icon={Ellipsis} />}
          entries={entries}
        />
      </div>
    </article>
  );
}

function Fact(props: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{props.label}</dt>
      <dd className="break-words tabular-nums">{props.children}</dd>
    </div>
  );
}

/** What the table has in its heads and its filter row. */
function Filters({ table, children }: { table: TableState; children: ReactNode }) {
  const [search, setSearch] = useTypedText(table.search, table.setSearch);
  const [sort] = table.sorts;
  return (
    <div className="flex flex-wrap items-end gap-2">
      <InputField
        label="Search sets"
        hideLabel
        className="w-full sm:w-52"
        type="search"
        placeholder="Search sets"
        value={search}
        onChange={setSearch}
      />
      <ChoiceField
        label="Sort by"
        hideLabel
        className="min-w-36 flex-1 sm:flex-none"
        options={orderings}
        value={sort ? `${sort.direction === "desc" ? "-" : ""}${sort.field}` : "-createdAt"}
        onChange={(value) =>
          table.setSorts([
            {
              field: value.replace(/^-/, ""),
              direction: value.startsWith("-") ? "desc" : "asc",
            },
          ])
        }
      />
      <ChoiceField
        label="State"
        hideLabel
        className="min-w-32 flex-1 sm:flex-none"
        options={[{ value: "", label: "Any state" }, ...stateOptions]}
        value={table.filters.state ?? ""}
        onChange={(value) => table.setFilter("state", value || null)}
      />
      <TypedFilter table={table} name="theme" label="Theme" />
      <TypedFilter table={table} name="percent_min" label="From %" most={100} />
      <TypedFilter table={table} name="percent_max" label="To %" most={100} />
      <TypedFilter table={table} name="missing_max" label="Missing at most" most={9_999_999} />
      <div className="ml-auto">{children}</div>
    </div>
  );
}

/** Text, or with `most` a whole number up to it: no other is asked for. */
function TypedFilter(props: { table: TableState; name: string; label: string; most?: number }) {
  const { table, name, label, most } = props;
  const isNumber = most !== undefined;
  const fits = (text: string) => text === "" || !isNumber || whyNotWhole(text, 0, most) === null;
  const [text, setText] = useTypedText(table.filters[name] ?? "", (typed) => {
    const wanted = fits(typed.trim()) ? typed.trim() : "";
    const kept = isNumber ? numberOf(wanted) : wanted;
    if (kept !== (table.filters[name] ?? "")) table.setFilter(name, kept || null);
    return kept;
  });
  return (
    <InputField
      label={label}
      hideLabel
      className={isNumber ? "w-32" : "w-36"}
      inputMode={isNumber ? "numeric" : "text"}
      placeholder={label}
      value={text}
      error={!fits(text.trim())}
      onChange={setText}
    />
  );
}

const orderings = [
  { value: "-createdAt", label: "Added last" },
  { value: "-percent", label: "Most complete" },
  { value: "percent", label: "Least complete" },
  { value: "missing", label: "Fewest missing" },
  { value: "-missing", label: "Most missing" },
  { value: "-value", label: "Most valuable" },
  { value: "-parts_value", label: "Most valuable in parts" },
  { value: "number", label: "Number" },
];
