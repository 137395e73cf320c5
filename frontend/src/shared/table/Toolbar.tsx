import { clsx } from "clsx";
import {
  ChevronDown,
  Columns3,
  Funnel,
  History,
  Printer,
  Redo2,
  Search,
  SlidersHorizontal,
  TableCellsMerge,
  Undo2,
} from "lucide-react";
import { memo, type ReactNode, useId, useState, useSyncExternalStore } from "react";
import { useIsPhone } from "@/shared/lib/useIsPhone";
import { HISTORY_LIMIT } from "@/shared/outbox/history";
import { Button, IconButton } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Field, Input } from "@/shared/ui/Field";
import { genericPart, lazyPart } from "@/shared/ui/lazyPart";
import { Menu, type MenuEntry } from "@/shared/ui/Menu";
import { Popover } from "@/shared/ui/Popover";
import { Spinner } from "@/shared/ui/Spinner";
import type { RowSource } from "./column";
import type { TableEditor } from "./editing/editor";
import { activeFilters } from "./filters";
import type { TableState } from "./tableState";
import type { ColumnLayout } from "./useGridTable";
import type { PageChoice } from "./useSelection";
import { useTypedText } from "./useTypedText";

const ColumnChooser = lazyPart(() => import("./ColumnChooser").then((m) => m.ColumnChooser));
const ArrangePanel = lazyPart(() => import("./ArrangePanel").then((m) => m.ArrangePanel));
const TakeOut = genericPart(() => import("./takeOut/TakeOut").then((m) => m.TakeOut));
const FilterChips = lazyPart(() => import("./FilterChips").then((m) => m.FilterChips));

/** What a phone shows only when its tools are unfolded; it stays in the page. */
const FOLDS =
  "sm:contents max-sm:flex max-sm:w-full max-sm:flex-wrap max-sm:items-center max-sm:gap-2 max-sm:empty:hidden group-data-folded:hidden";

/** Search, filters, the choice of columns and of the view; what is needed rarely is under *More*. */
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
  /** The state of saving, and the dialogs of editing. */
  tools?: ReactNode;
  /** Null while the table cannot be edited. */
  editor: TableEditor<Row> | null;
  /** The page's own entries of *More*. */
  more?: readonly MenuEntry[];
  /** The page's own filters; `all`: also those that are off. */
  filters?: (all: boolean) => ReactNode;
  switcher?: ReactNode;
  children?: ReactNode;
}) {
  const { state, layout, choice, headless, searchLabel, stale, say, children } = props;
  const { hasColumns, filters } = props;
  const columns = layout.all.map(({ columnDef }) => columnDef.meta);
  const filtered = filters || columns.some(({ filter }) => filter !== undefined);
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
      <div className={FOLDS}>
        {headless && !isPhone ? (
          <Popover
            label="Sort and filter"
            align="start"
            trigger={<Button icon={Funnel}>Sort and filter</Button>}
          >
            {arrange}
          </Popover>
        ) : (
          !headless &&
          filtered && (
            <Button
              icon={Funnel}
              aria-pressed={layout.filterRow}
              className={clsx(layout.filterRow && "bg-accent-tint")}
              onClick={() => layout.setFilterRow(!layout.filterRow)}
            >
              Filter
            </Button>
          )
        )}
        {filters?.(headless || layout.filterRow)}
        {children}
      </div>
      <div id={panel} className="w-full empty:hidden">
        {isPhone && unfolded && arrange}
      </div>
      {/* While it is folded, only what is not saved shows. */}
      <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:ml-0 max-sm:gap-0 max-sm:empty:hidden">
        {stale && <Spinner className="text-muted" />}
        {props.tools}
        <div className={FOLDS}>
          <More {...{ state, layout }} {...props} />
          {hasColumns && (
            <Popover
              label="Columns"
              trigger={
                <Button variant="ghost" icon={Columns3} onPointerEnter={ColumnChooser.preload}>
                  Columns
                </Button>
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

/** What is done with the list more rarely, by name. */
function More<Row extends object>(props: {
  state: TableState;
  layout: ColumnLayout<Row>;
  headless: boolean;
  label: string;
  source: RowSource<Row>;
  total: number;
  editor: TableEditor<Row> | null;
  more?: readonly MenuEntry[];
}) {
  const { editor, layout, more = [] } = props;
  const [takingOut, setTakingOut] = useState(false);
  useSyncExternalStore(editor?.subscribe ?? never, () => editor?.version ?? 0);
  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" className="gap-1">
            More <span className="sr-only">for this list</span>
            <ChevronDown aria-hidden="true" className="size-4" />
          </Button>
        }
        entries={[
          ...(editor ? editingEntries(editor) : []),
          { id: "takeOut", label: "CSV and print…", icon: Printer, run: () => setTakingOut(true) },
          ...(props.headless
            ? []
            : [
                {
                  id: "compact",
                  label: "Compact rows",
                  checked: layout.compact,
                  onChange: layout.setCompact,
                },
              ]),
          ...more,
        ]}
      />
      {takingOut && (
        <Dialog title="CSV and print" size="sm" onClose={() => setTakingOut(false)}>
          <TakeOut
            state={props.state}
            label={props.label}
            source={props.source}
            total={props.total}
            columns={layout.shown.map(({ columnDef }) => columnDef.meta)}
          />
        </Dialog>
      )}
    </>
  );
}

const never = () => () => undefined;

function editingEntries<Row extends object>(editor: TableEditor<Row>): MenuEntry[] {
  const next = editor.history.done.at(-1);
  const again = editor.history.undone.at(-1);
  return [
    {
      id: "undo",
      label: next ? `Undo: ${next.label}` : "Undo",
      keys: "Ctrl+Z",
      icon: Undo2,
      disabledReason: !next && `Nothing to undo (up to ${HISTORY_LIMIT} steps are kept)`,
      run: () => void editor.undo(),
    },
    {
      id: "redo",
      label: again ? `Redo: ${again.label}` : "Redo",
      keys: "Ctrl+Shift+Z",
      icon: Redo2,
      disabledReason: !again && "Nothing to redo",
      run: () => void editor.redo(),
    },
    {
      id: "bulk",
      label: "Bulk edit",
      keys: "Ctrl+B",
      icon: TableCellsMerge,
      run: () => editor.open({ kind: "bulk" }),
    },
    {
      id: "history",
      label: "History and errors",
      icon: History,
      run: () => editor.open({ kind: "history" }),
    },
    "separator",
  ];
}

export function SearchBox({ label, state }: { label: string; state: TableState }) {
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
