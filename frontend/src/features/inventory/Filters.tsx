import type { ReactNode } from "react";
import { itemTypeNames, itemTypes } from "@/shared/lib/itemTypes";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import type { TableState } from "@/shared/table/tableState";
import { Switch } from "@/shared/ui/Checkbox";
import { Field, Select } from "@/shared/ui/Field";
import { NarrowedTo } from "./parts";

/** Rows that want a look; each is a set of the list's own filters. */
const ONLY: Record<string, { label: string; params: Record<string, string> }> = {
  homeless: { label: "Without location", params: { location: "none" } },
  unpriced: { label: "Without price", params: { unpriced: "true" } },
  outlier: { label: "Price far from the market's", params: { outlier: "true" } },
  stale: { label: "Market price older than 90 days", params: { stale_price: "true" } },
  changed: { label: "Changed since the last import", params: { since_sync: "true" } },
  low: { label: "5 pieces or fewer", params: { quantity_max: "5" } },
  unknown: { label: "Not in the catalogue", params: { is_known: "false" } },
};
const NONE = Object.fromEntries(
  Object.values(ONLY).flatMap(({ params }) => Object.keys(params).map((name) => [name, null])),
);

const onlyOf = (filters: Readonly<Record<string, string>>): string =>
  Object.keys(ONLY).find((name) =>
    Object.entries(ONLY[name]?.params ?? {}).every(([param, value]) => filters[param] === value),
  ) ?? "";

/** What the list of stock is narrowed by. The two switches are kept in this browser. */
export function Filters({ table, children }: { table: TableState; children?: ReactNode }) {
  const zeroQuantity = useClientState("options.showZeroQuantity");
  const unconsolidated = useClientState("options.showUnconsolidated");
  const toggle = (path: "options.showZeroQuantity" | "options.showUnconsolidated") => {
    clientStore.toggle(path);
    if (table.pageIndex > 0) table.setPageIndex(0);
  };
  const { location, lot, batch } = table.filters;
  return (
    <>
      <Field label="Item type" hideLabel>
        <Select
          value={table.filters.item_type ?? ""}
          onChange={(event) => table.setFilter("item_type", event.target.value || null)}
          options={[
            { value: "", label: "Any type" },
            ...itemTypes.map((type) => ({ value: type, label: itemTypeNames[type] })),
          ]}
        />
      </Field>
      <Field label="Show only" hideLabel>
        <Select
          value={onlyOf(table.filters)}
          onChange={(event) => table.setFilters({ ...NONE, ...ONLY[event.target.value]?.params })}
          options={[
            { value: "", label: "All rows" },
            ...Object.entries(ONLY).map(([value, { label }]) => ({ value, label })),
          ]}
        />
      </Field>
      {(location || lot || batch) && <NarrowedTo table={table} />}
      <span className="flex flex-wrap gap-x-5 gap-y-2 px-1">
        <Switch
          label="Show zero quantity"
          checked={zeroQuantity}
          onChange={() => toggle("options.showZeroQuantity")}
        />
        <Switch
          label="Show unconsolidated"
          checked={unconsolidated}
          onChange={() => toggle("options.showUnconsolidated")}
        />
      </span>
      {children}
    </>
  );
}
