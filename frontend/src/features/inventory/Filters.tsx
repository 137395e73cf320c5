import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { locationQueries } from "@/features/locations/public";
import { itemTypeNames, itemTypes } from "@/shared/lib/itemTypes";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import type { TableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { Switch } from "@/shared/ui/Checkbox";
import { Field, Select } from "@/shared/ui/Field";

/** What the list of stock is narrowed by. The two switches are kept in this browser. */
export function Filters({ table }: { table: TableState }) {
  const zeroQuantity = useClientState("options.showZeroQuantity");
  const unconsolidated = useClientState("options.showUnconsolidated");
  const toggle = (path: "options.showZeroQuantity" | "options.showUnconsolidated") => {
    clientStore.toggle(path);
    if (table.pageIndex > 0) table.setPageIndex(0);
  };
  const { location } = table.filters;
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
      <Field label="Condition" hideLabel>
        <Select
          value={table.filters.condition ?? ""}
          onChange={(event) => table.setFilter("condition", event.target.value || null)}
          options={[
            { value: "", label: "New and used" },
            { value: "N", label: "New" },
            { value: "U", label: "Used" },
          ]}
        />
      </Field>
      {location && (
        <LocationChip location={location} onClear={() => table.setFilter("location", null)} />
      )}
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
    </>
  );
}

function LocationChip({ location, onClear }: { location: string; onClear: () => void }) {
  const { data } = useQuery({
    ...locationQueries.detail(Number(location)),
    enabled: location !== "none",
  });
  const name = location === "none" ? "without location" : (data?.name ?? `location ${location}`);
  return (
    <Button
      size="sm"
      icon={<X aria-hidden="true" className="size-3.5" />}
      onClick={onClear}
      aria-label={`Show all locations, not only ${name}`}
    >
      In {name}
    </Button>
  );
}
