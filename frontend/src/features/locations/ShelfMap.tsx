import { useQueries, useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useNavigate } from "react-router-dom";
import { counted, formatCount, formatWeight } from "@/shared/lib/format";
import { isItemType } from "@/shared/lib/itemTypes";
import { keysOf } from "@/shared/lib/records";
import { useKeptChoice } from "@/shared/lib/useKeptChoice";
import { unweighedText } from "@/shared/lib/weight";
import { worthText } from "@/shared/lib/worth";
import { useTypedText } from "@/shared/table/useTypedText";
import { Field, Input, Select } from "@/shared/ui/Field";
import { ItemImage } from "@/shared/ui/ItemImage";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { ErrorState, Loading } from "@/shared/ui/states";
import { HEATS, type HeatMap, type HeatStep, heatMap } from "./heat";
import type { LabelChoice } from "./labels";
import { type ManyAct, ManyActs } from "./ManyActs";
import type { Faces, MapCell } from "./model";
import { locationQueries } from "./queries";
import {
  type CellState,
  cellFill,
  cellText,
  cellWords,
  groupsOf,
  layoutOf,
  linesOf,
  type MapLine,
  neighbour,
  type Shelf,
  shelvesOf,
} from "./shelfMap";

/** A drawer that is wide enough shows what lies in it. */
const DRAWER = 92;
const SMALL_DRAWER = 46;
const TITLE = 40;
const LABEL = 52;
/** On a phone the names of the rows are as narrow as they can be. */
const LABEL_SMALL = 26;
const SMALL = 500;
/** Padding of the frame and its scroll bar. */
const AROUND = 34;
const GAP = 4;
/** Below this width a cell has room for two digits only. */
const TIGHT = 32;
/** From this width on a cell has room for its figure, and for pictures of this width. */
const ROOMY = 76;
const FACE = 34;
const KEYS = new Set([
  "ArrowRight",
  "ArrowLeft",
  "ArrowUp",
  "ArrowDown",
  "PageUp",
  "PageDown",
  "Home",
  "End",
]);

const tints: Record<CellState, string> = {
  empty: "border-line border-dashed bg-surface text-muted",
  some: "border-line bg-surface text-ink",
  nearlyFull: "border-warning bg-surface text-ink",
  full: "border-warning bg-warning-tint text-ink",
  over: "border-danger bg-danger-tint text-danger",
};
const bars: Record<CellState, string> = {
  empty: "",
  some: "bg-accent-tint",
  nearlyFull: "bg-warning-tint",
  full: "",
  over: "",
};

const heatStyle = (step: HeatStep) =>
  step === "unknown"
    ? { borderStyle: "dashed" }
    : { backgroundColor: `color-mix(in srgb, var(--accent) ${step * 12}%, var(--surface))` };

/** All locations by their places on the shelves, coloured by how full they are or what they hold. */
export function ShelfMap(props: {
  params: Record<string, string | number | undefined>;
  /** The choice between this and the other views. */
  switcher: ReactNode;
  /** Shown where there are no locations. */
  empty: ReactNode;
  onMany: (act: ManyAct, choice: LabelChoice) => void;
}) {
  const { params, switcher, onMany } = props;
  const { data, error, refetch } = useQuery(locationQueries.map(params));
  const shelves = useMemo(() => shelvesOf(data ?? []), [data]);
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, data !== undefined);
  const label = width < SMALL ? LABEL_SMALL : LABEL;
  const { perLine, cell } = useMemo(
    () => layoutOf(shelves, width - label - AROUND),
    [shelves, width, label],
  );
  const lines = useMemo(() => linesOf(shelves, perLine), [shelves, perLine]);
  const colouring = useKeptChoice("shelfMapHeat", HEATS, "fill");
  const heat = colouring.value;
  const heated = useMemo(() => (heat === "fill" ? null : heatMap(data ?? [], heat)), [heat, data]);

  const [search, setSearch] = useState("");
  const [text, setText] = useTypedText(search, setSearch);
  const found = useFound(search, data ?? noCells);
  const filled = useFilled(data);

  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (data.length === 0) return props.empty;
  return (
    <div ref={frame} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Field label="Search bins and what lies in them" hideLabel className="w-full sm:w-72">
          <Input
            type="search"
            value={text}
            placeholder="Search bins and what lies in them"
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
        <Together shelves={shelves} onMany={onMany} />
        {switcher}
      </div>
      {found && (
        <p role="status" className="text-muted text-sm">
          {found.size === 0 ? "No bin holds it" : counted(found.size, "bin")}
        </p>
      )}
      <MapGrid
        key={`${perLine} ${cell >= ROOMY}`}
        {...{ lines, heated, label, cell, found, filled }}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        {heated ? <HeatLegend heated={heated} /> : <Legend cells={data} filled={filled.size} />}
        <SegmentedControl label="Colour by" options={HEATS} {...colouring} />
      </div>
    </div>
  );
}

const noCells: readonly MapCell[] = [];

/** The bins whose name or content has the text; null while nothing is searched. */
function useFound(search: string, cells: readonly MapCell[]): ReadonlySet<number> | null {
  const holding = { ...locationQueries.holding(search), enabled: search !== "" };
  const data = useSideQuery(holding, "what lies in the bins");
  return useMemo(() => {
    if (search === "" || !data) return null;
    const wanted = search.toLowerCase();
    const named = cells.filter(({ name }) => name.toLowerCase().includes(wanted));
    return new Set([...data, ...named.map(({ id }) => id)]);
  }, [search, data, cells]);
}

/** How full each bin was when a map was last drawn in this window. */
let lastSeen: ReadonlyMap<number, number> = new Map();

/** The bins into which something was put since the map was drawn before. */
function useFilled(cells: readonly MapCell[] | undefined): ReadonlySet<number> {
  const [filled, setFilled] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    if (!cells) return;
    const grown = cells.filter(({ id, item_count: now }) => now > (lastSeen.get(id) ?? now));
    lastSeen = new Map(cells.map(({ id, item_count }) => [id, item_count]));
    if (grown.length > 0) setFilled(new Set(grown.map(({ id }) => id)));
  }, [cells]);
  return filled;
}

/** Bins whose content one request asks for. */
const FACES_AT_ONCE = 60;

/** What lies in the bins of these lines, asked for in parts that stay the same while scrolling. */
function useFaces(lines: readonly MapLine[], shown: readonly number[], isOn: boolean) {
  const cells = useMemo(
    () =>
      lines.flatMap((line, at) =>
        line.kind === "cells" ? line.cells.map(({ id }) => ({ at, id })) : [],
      ),
    [lines],
  );
  const wanted = new Set<number>();
  if (isOn) {
    const [first, last] = [shown[0] ?? 0, shown.at(-1) ?? 0];
    cells.forEach(({ at }, place) => {
      if (at >= first && at <= last) wanted.add(Math.floor(place / FACES_AT_ONCE));
    });
  }
  return useQueries({
    queries: [...wanted].map((part) =>
      locationQueries.faces(
        cells.slice(part * FACES_AT_ONCE, (part + 1) * FACES_AT_ONCE).map(({ id }) => id),
      ),
    ),
    combine: byLocation,
  });
}

/** By itself, so that the same answers are the same map. */
const byLocation = (answers: readonly { data: readonly Faces[] | undefined }[]) =>
  new Map(answers.flatMap(({ data }) => data ?? []).map((one) => [one.location_id, one]));

/** The choice of a shelf or a row of one, and what is done to all of it. */
function Together(props: {
  shelves: readonly Shelf[];
  onMany: (act: ManyAct, choice: LabelChoice) => void;
}) {
  const groups = useMemo(() => groupsOf(props.shelves), [props.shelves]);
  const [key, setKey] = useState("");
  const group = groups.find((one) => one.key === key) ?? groups[0];
  if (!group) return null;
  const choice = { ids: group.cells.map(({ id }) => id), count: group.cells.length };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="w-full sm:w-48">
        <Select
          aria-label="Shelf"
          value={group.key}
          onChange={(event) => setKey(event.target.value)}
          options={groups.map(({ key: value, name, cells }) => ({
            value,
            label: `${name} (${formatCount(cells.length)})`,
          }))}
        />
      </span>
      <ManyActs of={group.name} onDo={(act) => props.onMany(act, choice)} />
    </div>
  );
}

/** Widths of a cell and of a row's name. */
type Widths = { cell: number; label: number };

function MapGrid(
  props: Widths & {
    lines: readonly MapLine[];
    heated: HeatMap | null;
    found: ReadonlySet<number> | null;
    filled: ReadonlySet<number>;
  },
) {
  const { lines, heated, found, filled } = props;
  const isRoomy = props.cell >= ROOMY;
  const height = isRoomy ? DRAWER : SMALL_DRAWER;
  const navigate = useNavigate();
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(() => neighbour(lines, { line: 0, cell: 0 }, "Home"));
  // The compiler of React leaves a component that uses it alone; nothing here is memoised by it.
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === "title" ? TITLE : height),
    overscan: 4,
  });
  const items = virtual.getVirtualItems();
  const faces = useFaces(
    lines,
    items.map(({ index }) => index),
    isRoomy,
  );
  const current = cellAt(lines, at);
  const open = (cell: MapCell) => void navigate(`?location=${cell.id}`);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (current) open(current);
    }
    if (!KEYS.has(event.key)) return;
    event.preventDefault();
    const next = neighbour(lines, at, event.key);
    setAt(next);
    virtual.scrollToIndex(next.line);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table's element cannot be scrolled virtually
    <div
      ref={scroller}
      role="grid"
      aria-label="Shelf map"
      aria-rowcount={lines.length}
      aria-activedescendant={current ? `map-${current.id}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="group/map max-h-[calc(100dvh-14.5rem)] min-h-72 overflow-y-auto rounded-card border border-line bg-surface p-2"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start, size }) => {
          const line = lines[index];
          return (
            line && (
              <Line
                key={index}
                line={line}
                index={index}
                top={start}
                active={at.line === index ? at.cell : -1}
                heated={heated}
                faces={faces}
                found={found}
                filled={filled}
                height={size}
                cell={props.cell}
                label={props.label}
                onOpen={open}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

const Line = memo(LineOf, (before, after) => {
  // Opening only follows the address, which is the same whenever the handler was made.
  return (
    [
      "line",
      "top",
      "active",
      "heated",
      "faces",
      "found",
      "filled",
      "height",
      "cell",
      "label",
    ] as const
  ).every((name) => before[name] === after[name]);
});

function LineOf(
  props: Widths & {
    line: MapLine;
    index: number;
    top: number;
    active: number;
    heated: HeatMap | null;
    faces: ReadonlyMap<number, Faces>;
    found: ReadonlySet<number> | null;
    filled: ReadonlySet<number>;
    height: number;
    onOpen: (cell: MapCell) => void;
  },
) {
  const { line, index, top, active, heated, faces, found, filled, height, label, onOpen } = props;
  const place = { height, transform: `translateY(${top}px)` };
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, and names its cell
    <div
      role="row"
      aria-rowindex={index + 1}
      style={place}
      className={clsx(
        "absolute inset-x-0 top-0 flex items-center",
        props.cell < TIGHT ? "gap-0.5" : "gap-1",
      )}
    >
      {line.kind === "title" ? (
        // biome-ignore lint/a11y/useSemanticElements: see the grid
        // biome-ignore lint/a11y/useFocusableInteractive: it is a heading within the grid
        <span role="rowheader" className="self-end pb-1 pl-1 font-semibold text-sm">
          {line.title}
        </span>
      ) : (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: see the grid */}
          <span
            role="rowheader"
            style={{ width: label }}
            className="shrink-0 truncate pr-1 text-right text-muted text-xs"
          >
            {line.label}
          </span>
          {line.cells.map((cell, place) => (
            <Cell
              key={cell.id}
              cell={cell}
              isActive={place === active}
              width={props.cell - (props.cell < TIGHT ? 2 : GAP)}
              heated={heated}
              faces={faces.get(cell.id)}
              isDimmed={found !== null && !found.has(cell.id)}
              isFilled={filled.has(cell.id)}
              height={height - GAP * 2}
              onOpen={onOpen}
            />
          ))}
        </>
      )}
    </div>
  );
}

function Cell(props: {
  cell: MapCell;
  isActive: boolean;
  width: number;
  height: number;
  faces: Faces | undefined;
  /** A search is on that does not find it. */
  isDimmed: boolean;
  /** Something was just put into it. */
  isFilled: boolean;
  /** What colours the map; null where that is how full the bins are. */
  heated: HeatMap | null;
  onOpen: (cell: MapCell) => void;
}) {
  const { cell, isActive, width, height, faces, isDimmed, isFilled, heated, onOpen } = props;
  const { state, share } = cellFill(cell);
  const promised = faces?.promised ?? 0;
  const words =
    wordsOf(cell, state, share) +
    (promised > 0 ? `, ${formatCount(promised)} promised` : "") +
    (isFilled ? ", just filled" : "");
  const step = heated?.stepOf(cell) ?? null;
  const byFill = step === null;
  const figure = heated
    ? heated.figureOf(cell)
    : cell.item_count > 0
      ? formatCount(cell.item_count)
      : "";
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, and names its cell
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys
    <span
      id={`map-${cell.id}`}
      role="gridcell"
      aria-label={words}
      title={words}
      onClick={() => onOpen(cell)}
      style={{ width, height, ...(!byFill && heatStyle(step)) }}
      className={clsx(
        "relative flex shrink-0 cursor-pointer overflow-hidden rounded border text-xs tabular-nums transition-opacity hover:border-accent",
        width >= ROOMY ? "flex-col px-2 pt-1" : "items-center justify-center",
        isDimmed && "opacity-30",
        isFilled && "shadow-[0_0_0_3px_var(--success)]",
        promised > 0 && "outline-2 outline-accent -outline-offset-2",
        byFill ? tints[state] : "border-line text-ink",
        isActive && "group-focus/map:outline-2 group-focus/map:outline-accent",
      )}
    >
      {byFill && bars[state] && (
        <span
          aria-hidden="true"
          style={{ height: `${Math.max(8, (share ?? 0.5) * 100)}%` }}
          className={clsx("absolute inset-x-0 bottom-0", bars[state])}
        />
      )}
      <span className="relative flex max-w-full items-baseline gap-1">
        <span
          className={clsx(
            "truncate",
            width >= TIGHT && "px-0.5",
            width >= ROOMY && "font-semibold text-sm",
          )}
        >
          {cellText(cell.name)}
        </span>
        {width >= ROOMY && figure && (
          // Drawn by its style: the label says it in words, and must hold all text of the cell.
          <span
            data-figure={figure}
            className="ml-auto truncate pl-1 after:content-[attr(data-figure)]"
          />
        )}
      </span>
      {height > SMALL_DRAWER && faces && (
        <span aria-hidden="true" className="relative mt-0.5 flex min-w-0 gap-0.5">
          {faces.faces.slice(0, Math.floor((width - 16) / FACE)).map((face, at) => (
            <ItemImage
              // biome-ignore lint/suspicious/noArrayIndexKey: a face is its place
              key={at}
              src={face.image_url}
              type={isItemType(face.item_type) ? face.item_type : "PART"}
              colorHtml={face.color_html}
              size="xs"
            />
          ))}
        </span>
      )}
      {cell.exclude_from_recommendations && (
        <span aria-hidden="true" className="absolute top-0.5 right-1 text-[0.625rem] text-muted">
          ⊘
        </span>
      )}
    </span>
  );
}

function Legend({ cells, filled }: { cells: readonly MapCell[]; filled: number }) {
  const counts = useMemo(() => {
    const found: Record<CellState, number> = { empty: 0, some: 0, nearlyFull: 0, full: 0, over: 0 };
    for (const cell of cells) found[cellFill(cell).state] += 1;
    return found;
  }, [cells]);
  return (
    <ul
      aria-label="What the colours mean"
      className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs"
    >
      {keysOf(counts).map((state) => (
        <li key={state} className="flex items-center gap-1.5 tabular-nums">
          <span
            aria-hidden="true"
            className={clsx("relative size-4 overflow-hidden rounded border", tints[state])}
          >
            {bars[state] && (
              <span className={clsx("absolute inset-x-0 bottom-0 h-2/3", bars[state])} />
            )}
          </span>
          {cellWords[state]}: {formatCount(counts[state])}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-4 rounded border-2 border-accent" />
        for an order
      </li>
      {filled > 0 && (
        <li className="flex items-center gap-1.5 tabular-nums">
          <span aria-hidden="true" className="size-4 rounded border-3 border-success" />
          just filled: {formatCount(filled)}
        </li>
      )}
    </ul>
  );
}

function HeatLegend({ heated }: { heated: HeatMap }) {
  return (
    <ul
      aria-label="What the colours mean"
      className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs"
    >
      {heated.legend.map(({ step, words, count }) => (
        <li key={step} className="flex items-center gap-1.5 tabular-nums">
          <span
            aria-hidden="true"
            style={heatStyle(step)}
            className="size-4 rounded border border-line"
          />
          {words}: {counted(count, "bin")}
        </li>
      ))}
    </ul>
  );
}

function wordsOf(cell: MapCell, state: CellState, share: number | null): string {
  const pieces = counted(cell.item_count, "piece");
  const of = cell.max_item_count === null ? "" : ` of ${formatCount(cell.max_item_count)}`;
  const weight =
    cell.max_total_weight === null
      ? ""
      : `, ${formatWeight(cell.stored_weight)} of ${formatWeight(cell.max_total_weight)}`;
  const leftOut = unweighedText(cell.max_total_weight === null ? 0 : cell.unknown_weight_count);
  const percent = share === null ? "" : `, ${Math.round(share * 100)} %`;
  const worth =
    cell.item_count > 0 ? `, worth ${worthText({ ...cell, value: cell.total_value })}` : "";
  const excluded = cell.exclude_from_recommendations ? ", not recommended" : "";
  return `${cell.name}: ${cellWords[state]}, ${pieces}${of}${weight}${leftOut && `, ${leftOut}`}${percent}${worth}${excluded}`;
}

function cellAt(lines: readonly MapLine[], at: { line: number; cell: number }): MapCell | null {
  const line = lines[at.line];
  return line?.kind === "cells" ? (line.cells[at.cell] ?? null) : null;
}

/** The frame's width, as it is drawn. */
function useWidth(frame: React.RefObject<HTMLDivElement | null>, mounted: boolean): number {
  const [width, setWidth] = useState(700);
  useEffect(() => {
    const element = frame.current;
    if (!mounted || !element) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame, mounted]);
  return width;
}
