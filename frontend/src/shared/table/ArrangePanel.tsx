import { Button } from "@/shared/ui/Button";
import { Field, Select } from "@/shared/ui/Field";
import type { ColumnHead } from "./column";
import { FilterField } from "./FilterField";
import { type TableState, writeOrdering } from "./tableState";
import type { PageChoice } from "./useSelection";

/** On a phone: the order, filters and selection that the column heads offer elsewhere. */
export function ArrangePanel(props: {
  state: TableState;
  columns: readonly ColumnHead[];
  choice: PageChoice | null;
  say: (text: string) => void;
}) {
  const { state, columns, choice, say } = props;
  const orders = columns.flatMap(({ header, sortBy }) =>
    sortBy
      ? [
          { value: sortBy, label: `${header}, ascending` },
          { value: `-${sortBy}`, label: `${header}, descending` },
        ]
      : [],
  );
  const [first] = state.sorts;
  return (
    <div className="grid grid-cols-2 items-end gap-3 sm:grid-cols-1">
      {orders.length > 0 && (
        <Field label="Sort by">
          <Select
            options={[{ value: "", label: "Default order" }, ...orders]}
            value={first ? writeOrdering([first]) : ""}
            onChange={({ target }) => {
              const field = target.value.replace(/^-/, "");
              const direction = target.value.startsWith("-") ? "desc" : "asc";
              state.setSorts(field ? [{ field, direction }] : []);
              say(`Sorted by ${target.selectedOptions[0]?.label ?? ""}`);
            }}
          />
        </Field>
      )}
      {columns.map(
        ({ id, header, filter }) =>
          filter && (
            <FilterField key={id} header={header} filter={filter} state={state} hideLabel={false} />
          ),
      )}
      {choice && (
        <Button disabledReason={choice.page === "empty" && "No rows"} onClick={choice.togglePage}>
          {choice.page === "all" ? "Select none" : "Select all"}
        </Button>
      )}
      {state.isNarrowed && (
        <Button variant="ghost" onClick={state.clearNarrowing}>
          Clear search and filters
        </Button>
      )}
    </div>
  );
}
