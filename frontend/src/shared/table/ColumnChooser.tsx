import { ArrowDown, ArrowUp, Columns3 } from "lucide-react";
import { Button, IconButton } from "@/shared/ui/Button";
import { SelectBox } from "@/shared/ui/Checkbox";
import { Popover } from "@/shared/ui/Popover";
import type { GridTable } from "./useGrid";

/** Which columns are shown, and in what order; kept for this table in this browser. */
export function ColumnChooser<Row extends object>({ grid }: { grid: GridTable<Row> }) {
  const columns = grid.getAllLeafColumns();
  const order = columns.map((column) => column.id);
  const move = (from: number, to: number) => {
    const next = [...order];
    next.splice(to, 0, ...next.splice(from, 1));
    grid.setColumnOrder(next);
  };
  const reset = () => {
    grid.setColumnOrder([]);
    grid.setColumnSizing({});
    grid.setColumnVisibility({});
  };

  return (
    <Popover
      label="Columns"
      trigger={
        <IconButton
          label="Columns"
          icon={<Columns3 aria-hidden="true" className="size-4" />}
          size="md"
        />
      }
    >
      <ul className="flex flex-col">
        {columns.map((column, index) => {
          const name = String(column.columnDef.header);
          return (
            <li key={column.id} className="flex items-center gap-2">
              <SelectBox
                label={`Show ${name}`}
                checked={column.getIsVisible()}
                disabled={!column.getCanHide()}
                onChange={column.getToggleVisibilityHandler()}
              />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <IconButton
                size="sm"
                label={`Move ${name} up`}
                icon={<ArrowUp aria-hidden="true" className="size-3.5" />}
                disabledReason={index === 0 && "It is the first column"}
                onClick={() => move(index, index - 1)}
              />
              <IconButton
                size="sm"
                label={`Move ${name} down`}
                icon={<ArrowDown aria-hidden="true" className="size-3.5" />}
                disabledReason={index === columns.length - 1 && "It is the last column"}
                onClick={() => move(index, index + 1)}
              />
            </li>
          );
        })}
      </ul>
      <Button size="sm" className="mt-2 w-full" onClick={reset}>
        Reset columns
      </Button>
    </Popover>
  );
}
