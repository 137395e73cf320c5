import { clsx } from "clsx";
import { itemTypeNames, itemTypes } from "@/shared/lib/itemTypes";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import type { TableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { Switch } from "@/shared/ui/Checkbox";
import { ChoiceField } from "@/shared/ui/Field";
import { Popover } from "@/shared/ui/Popover";
import { NarrowedTo } from "./parts";

/**
 * What the list of stock is narrowed by; `all`: also what is off. The two switches are kept in this
 * browser.
 */
export function Filters({ table, all }: { table: TableState; all: boolean }) {
  const zeroQuantity = useClientState("options.showZeroQuantity");
  const unconsolidated = useClientState("options.showUnconsolidated");
  const toggle = (path: "options.showZeroQuantity" | "options.showUnconsolidated") => {
    clientStore.toggle(path);
    if (table.pageIndex > 0) table.setPageIndex(0);
  };
  const { location, lot, batch } = table.filters;
  const count = [zeroQuantity, unconsolidated].filter(Boolean).length;
  return (
    <>
      {(all || table.filters.item_type) && (
        <ChoiceField
          label="Item type"
          hideLabel
          value={table.filters.item_type ?? ""}
          onChange={(value) => table.setFilter("item_type", value || null)}
          options={[
            { value: "", label: "Any type" },
            ...itemTypes.map((type) => ({ value: type, label: itemTypeNames[type] })),
          ]}
        />
      )}
      {(location || lot || batch) && <NarrowedTo table={table} />}
      {(all || count > 0) && (
        <Popover
          label="Show"
          align="start"
          trigger={
            <Button aria-pressed={count > 0} className={clsx(count > 0 && "bg-accent-tint")}>
              Show{count > 0 && ` · ${count}`}
            </Button>
          }
        >
          <div className="flex flex-col gap-3">
            <Switch
              label="Show zero quantity"
              checked={zeroQuantity}
              onChange={() => toggle("options.showZeroQuantity")}
            />
            <Switch
              label="Parts in several bins"
              checked={unconsolidated}
              onChange={() => toggle("options.showUnconsolidated")}
            />
          </div>
        </Popover>
      )}
    </>
  );
}
