import { renderHook } from "@testing-library/react";
import type { Column } from "../column";
import type { Sort, TableState } from "../tableState";
import { useGridTable } from "../useGridTable";

const noRows: never[] = [];
const noSelection = {};

/** The table `t` with these columns and no rows. */
export function aGridTable<Row extends object>(
  columns: readonly Column<Row>[],
  sorts: readonly Sort[] = [],
) {
  const setSorts = jest.fn();
  const list = { id: "t", sorts, setSorts } as unknown as TableState;
  const { result } = renderHook(() =>
    useGridTable<Row>({
      ...{ list, columns, data: noRows, idOf: String },
      ...{ rowSelection: noSelection, onRowSelectionChange: () => undefined },
    }),
  );
  return { layout: () => result.current.layout, setSorts };
}
