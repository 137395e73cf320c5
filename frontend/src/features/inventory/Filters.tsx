import type { ReactNode } from "react";
import { itemTypeNames, itemTypes } from "@/shared/lib/itemTypes";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import type { TableState } from "@/shared/table/tableState";
import { Switch } from "@/shared/ui/Checkbox";
import { Field, Select } from "@/shared/ui/Field";
import { NarrowedTo } from "./parts";

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
