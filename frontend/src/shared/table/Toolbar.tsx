import { clsx } from "clsx";
import { ArrowUpDown, Columns3, Funnel, Printer, Search, SlidersHorizontal } from "lucide-react";
import { memo, type ReactNode, useId, useState } from "react";
import { IconButton } from "@/shared/ui/Button";
import { Field, Input } from "@/shared/ui/Field";
import { genericPart, lazyPart } from "@/shared/ui/lazyPart";
import { Popover } from "@/shared/ui/Popover";
import { Spinner } from "@/shared/ui/Spinner";
import type { RowSource } from "./column";
import { activeFilters } from "./filters";
import type { TableState } from "./tableState";
import type { ColumnLayout } from "./useGridTable";
import { useIsPhone } from "./useIsPhone";
import type { PageChoice } from "./useSelection";
import { useTypedText } from "./useTypedText";

const ColumnChooser = lazyPart(() => import("./ColumnChooser").then((m) => m.ColumnChooser));
const ArrangePanel = lazyPart(() => import("./ArrangePanel").then((m) => m.ArrangePanel));
const TakeOut = genericPart(() => import("./takeOut/TakeOut").then((m) => m.TakeOut));
const FilterChips = lazyPart(() => import("./FilterChips").then((m) => m.FilterChips));

const icon = "size-4";
/** What a phone shows only when its tools are unfolded; it stays in the page. */
const FOLDS =
  "sm:contents max-sm:flex max-sm:w-full max-sm:flex-wrap max-sm:items-center max-sm:gap-2 max-sm:empty:hidden group-data-folded:hidden";

/** Search, the page's own filters and buttons, the filters of columns, the column chooser. */
export const Toolbar = memo(DrawnToolbar) as typeof DrawnToolbar;

function DrawnToolbar<Row extends object>(props: {
  state: TableState;
  layout: ColumnLayout<Row>;
  choice: PageChoice | null;
  /** No heads are shown: order, filters and selection are offered here. */
  headless: boolean;
  /** Tiles have no columns to choose. */
  hasColumns: boolean;
  searchLabel?: string;
  stale: boolean;
  /** The name, source and number of the rows, for exporting the view. */
  label: string;
  source: RowSource<Row>;
  total: number;
  say: (text: string) => void;
  /** Undo, redo and the other tools of editing. */
  tools?: ReactNode;
  switcher?: ReactNode;
  children?: ReactNode;
}) {
  const { state, layout, choice, headless, searchLabel, stale, say, children } = props;
  const { hasColumns } = props;
  const columns = layout.all.map(({ columnDef }) => columnDef.meta);
  const filtered = columns.some(({ filter }) => filter !== undefined);
  const active = activeFilters(columns, state.filters);
  const isPhone = useIsPhone();
  const [unfolded, setUnfolded] = useState(false);
  const panel = useId();
  const arrange = <ArrangePanel {...{ state, columns, choice, say }} />;
  return (
    <div
      data-folded={(isPhone && !unfolded) || undefined}
      className="group flex flex-wrap items-center gap-2 border-line border-b px-3 py-2"
    >
      {searchLabel && <SearchBox label={searchLabel} state={state} />}
      {isPhone && (
        <IconButton
          label="Sort and filter"
          className={clsx("ml-auto", unfolded && "bg-accent-tint")}
          icon={SlidersHorizontal}
          aria-expanded={unfolded}
          aria-controls={panel}
          onPointerEnter={ArrangePanel.preload}
          onClick={() => setUnfolded(!unfolded)}
        />
      )}
      {active.length > 0 && <FilterChips active={active} state={state} />}
      <div className={FOLDS}>{children}</div>
      <div id={panel} className="w-full empty:hidden">
        {isPhone && unfolded && arrange}
      </div>
      {/* While it is folded, only what is not saved shows. */}
      <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:ml-0 max-sm:gap-0 max-sm:empty:hidden">
        {stale && <Spinner className="text-muted" />}
        {props.tools}
        {headless && !isPhone && (
          <Popover
            label="Sort and filter"
            trigger={<IconButton label="Sort and filter" icon={ArrowUpDown} />}
          >
            {arrange}
          </Popover>
        )}
        {!headless && filtered && (
          <IconButton
            label="Filter row"
            aria-pressed={layout.filterRow}
            icon={<Funnel aria-hidden="true" className={clsx(icon, "text-muted")} />}
            className={clsx(layout.filterRow && "bg-accent-tint")}
            onClick={() => layout.setFilterRow(!layout.filterRow)}
          />
        )}
        <div className={FOLDS}>
          <Popover
            label="CSV and print"
            trigger={
              <IconButton label="CSV and print" icon={Printer} onPointerEnter={TakeOut.preload} />
            }
          >
            <TakeOut
              {...{ state, label: props.label, source: props.source, total: props.total }}
              columns={layout.shown.map(({ columnDef }) => columnDef.meta)}
            />
          </Popover>
          {hasColumns && (
            <Popover
              label="Columns"
              trigger={
                <IconButton
                  label="Columns"
                  icon={Columns3}
                  onPointerEnter={ColumnChooser.preload}
                />
              }
            >
              <ColumnChooser {...{ layout, say }} />
            </Popover>
          )}
          {props.switcher}
        </div>
      </div>
    </div>
  );
}

function SearchBox({ label, state }: { label: string; state: TableState }) {
  const [text, setText] = useTypedText(state.search, state.setSearch);
  return (
    <Field label={label} hideLabel className="relative min-w-0 max-sm:flex-1 sm:w-52">
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
