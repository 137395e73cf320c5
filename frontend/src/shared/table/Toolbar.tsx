import { Search } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useDebounced } from "@/shared/lib/useDebounced";
import { Field, Input } from "@/shared/ui/Field";
import { Spinner } from "@/shared/ui/Spinner";
import { ColumnChooser } from "./ColumnChooser";
import type { TableState } from "./tableState";
import type { GridTable } from "./useGrid";

/** Search, the page's own filters and buttons, the column chooser. */
export function Toolbar<Row extends object>(props: {
  state: TableState;
  grid: GridTable<Row>;
  searchLabel?: string;
  stale: boolean;
  children?: ReactNode;
}) {
  const { state, grid, searchLabel, stale, children } = props;
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2">
      {searchLabel && <SearchBox label={searchLabel} state={state} />}
      {children}
      <div className="ml-auto flex items-center gap-2">
        {stale && <Spinner className="text-muted" />}
        <ColumnChooser grid={grid} />
      </div>
    </div>
  );
}

function SearchBox({ label, state }: { label: string; state: TableState }) {
  const { search, setSearch } = state;
  const [text, setText] = useState(search);
  const [known, setKnown] = useState(search);
  const settled = useDebounced(text);

  // The address changed by another hand (a link, Clear): the box follows.
  if (search !== known) {
    setKnown(search);
    if (search !== text.trim()) setText(search);
  }
  useEffect(() => {
    if (settled === text && settled.trim() !== search) setSearch(settled);
  }, [settled, text, search, setSearch]);

  return (
    <Field label={label} hideLabel className="relative w-full sm:w-64">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
      />
      <Input
        type="search"
        value={text}
        placeholder={label}
        onChange={({ target }) => setText(target.value)}
        className="pl-8"
      />
    </Field>
  );
}
