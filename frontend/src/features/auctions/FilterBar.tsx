import { clsx } from "clsx";
import { ListFilter } from "lucide-react";
import { useState } from "react";
import { isDecimal, numberOf } from "@/shared/lib/amounts";
import { numberText } from "@/shared/lib/numbers";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import type { TableState } from "@/shared/table/tableState";
import { useTypedText } from "@/shared/table/useTypedText";
import { Button } from "@/shared/ui/Button";
import { CheckField } from "@/shared/ui/Checkbox";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { LISTING_FILTERS, type ListingFilter } from "./model";

/** What narrows the listings, in cards and in the table alike. All of it is in the address. */
export function FilterBar(props: {
  table: TableState;
  /** When the last visit ended; null for the first one. */
  lastVisit: string | null;
  /** Its orderings; the table is sorted by its heads. */
  withOrdering: boolean;
  children: React.ReactNode;
}) {
  const { table, lastVisit } = props;
  const onlyMyBids = useClientState("options.showOnlyMyBids");
  const chosen = LISTING_FILTERS.filter((name) => table.filters[name]).length + Number(onlyMyBids);
  const [isOpen, setOpen] = useState(chosen > 0);
  // On a phone all but the search folds behind the button.
  const folded = !isOpen && "max-sm:hidden";
  const [search, setSearch] = useTypedText(table.search, table.setSearch);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <InputField
          label="Search listings"
          hideLabel
          className="max-sm:min-w-40 max-sm:flex-1 sm:w-64"
          type="search"
          placeholder="Search listings"
          value={search}
          onChange={setSearch}
        />
        {props.withOrdering && (
          <ChoiceField
            label="Sort by"
            hideLabel
            className={clsx("min-w-36 flex-1 max-sm:order-1 sm:flex-none", folded)}
            value={orderingOf(table)}
            onChange={(value) => {
              const descends = value.startsWith("-");
              const field = value.replace(/^-/, "");
              table.setSorts([{ field, direction: descends ? "desc" : "asc" }]);
            }}
            options={orderings}
          />
        )}
        <Button icon={ListFilter} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {chosen > 0 ? `Filter (${chosen})` : "Filter"}
        </Button>
        {(table.isNarrowed || onlyMyBids) && (
          <Button
            variant="ghost"
            onClick={() => {
              clientStore.set("options.showOnlyMyBids", false);
              setSearch("");
              table.clearNarrowing();
            }}
          >
            Clear all
          </Button>
        )}
        <div className={clsx("ml-auto flex flex-wrap items-center gap-3 max-sm:order-2", folded)}>
          {props.children}
        </div>
      </div>
      {isOpen && <Filters table={table} lastVisit={lastVisit} />}
    </div>
  );
}

function Filters({ table, lastVisit }: { table: TableState; lastVisit: string | null }) {
  const onlyMyBids = useClientState("options.showOnlyMyBids");
  const choose = (name: ListingFilter, label: string, options: typeof kinds) => (
    <ChoiceField
      label={label}
      className="w-44"
      value={table.filters[name] ?? ""}
      onChange={(value) => table.setFilter(name, value || null)}
      options={options}
    />
  );
  return (
    <div className="flex flex-wrap items-start gap-3 rounded-card border border-line bg-surface p-3">
      {choose("kind", "Kind", kinds)}
      <AmountFilter table={table} name="max_landed" label="Landed at most" hint="In dollars." />
      <AmountFilter
        table={table}
        name="max_per_kg"
        label="Per kilogram at most"
        hint="Landed, in dollars."
      />
      {choose("has_shipping", "Shipping", shippings)}
      <TextFilter table={table} name="location" label="Location" />
      {choose("ends_within_hours", "Ends within", ends)}
      <div className="flex flex-wrap gap-x-4 gap-y-2 self-end pb-2">
        <CheckField
          label="Show only my bids"
          value={onlyMyBids}
          onChange={(checked) => {
            clientStore.set("options.showOnlyMyBids", checked);
            table.setPageIndex(0);
          }}
        />
        <Tick table={table} name="watch" label="Watched only" value="watching" />
        {lastVisit !== null && (
          <Tick table={table} name="new_since" label="New since my last visit" value={lastVisit} />
        )}
        <Tick table={table} name="show_rejected" label="Rejected too" value="true" />
        <Tick table={table} name="show_ended" label="Ended too" value="true" />
      </div>
    </div>
  );
}

/** Ticked at once: the address follows a moment later. */
function Tick(props: { table: TableState; name: ListingFilter; label: string; value: string }) {
  const { table, name, label, value } = props;
  const isOn = table.filters[name] !== undefined;
  const [shown, setShown] = useState(isOn);
  const [known, setKnown] = useState(isOn);
  if (isOn !== known) {
    setKnown(isOn);
    setShown(isOn);
  }
  return (
    <CheckField
      label={label}
      value={shown}
      onChange={(checked) => {
        setShown(checked);
        table.setFilter(name, checked ? value : null);
      }}
    />
  );
}

function TextFilter(props: { table: TableState; name: ListingFilter; label: string }) {
  const { table, name, label } = props;
  const [text, setText] = useTypedText(numberText(table.filters[name]), (typed) =>
    table.setFilter(name, typed.trim() || null),
  );
  return <InputField label={label} className="w-44" value={text} onChange={setText} />;
}

/** An amount goes into the address once it is one; until then it says what it should be. */
function AmountFilter(props: {
  table: TableState;
  name: ListingFilter;
  label: string;
  hint: string;
}) {
  const { table, name, label, hint } = props;
  const [text, setText] = useTypedText(numberText(table.filters[name]), (typed) => {
    const amount = numberOf(typed);
    if (amount === "" || isDecimal(typed, 8, 2)) table.setFilter(name, amount || null);
  });
  const isWrong = text.trim() !== "" && !isDecimal(text, 8, 2);
  return (
    <InputField
      label={label}
      className="w-40"
      hint={hint}
      {...(isWrong && { error: "An amount such as 24.50" })}
      numeric
      value={text}
      onChange={setText}
    />
  );
}

const orderings = [
  { value: "end_time", label: "Ends first" },
  { value: "landed_per_kg", label: "Cheapest per kg" },
  { value: "landed_cost", label: "Cheapest landed" },
  { value: "current_price", label: "Lowest price" },
  { value: "-bid_count", label: "Most bids" },
  { value: "bid_count", label: "Fewest bids" },
  { value: "-created_at", label: "Newest here" },
];

/** What the select shows; another order of the table's counts as the first. */
function orderingOf({ sorts }: TableState): string {
  const [sort] = sorts;
  const text = sort ? `${sort.direction === "desc" ? "-" : ""}${sort.field}` : "";
  return orderings.some(({ value }) => value === text) ? text : "end_time";
}

const kinds = [
  { value: "", label: "Auctions and buy it now" },
  { value: "auction", label: "Auctions" },
  { value: "buy_it_now", label: "Buy it now" },
];

const ends = [
  { value: "", label: "Ends at any time" },
  { value: "1", label: "Ends within an hour" },
  { value: "24", label: "Ends within a day" },
  { value: "72", label: "Ends within 3 days" },
];

const shippings = [
  { value: "", label: "Known or not" },
  { value: "true", label: "Known" },
  { value: "false", label: "Not yet known" },
];
