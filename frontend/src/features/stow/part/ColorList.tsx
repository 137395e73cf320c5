import { replaceEqualDeep } from "@tanstack/react-query";
import { clsx } from "clsx";
import { SlidersHorizontal } from "lucide-react";
import { type KeyboardEvent, memo, type RefObject, useState } from "react";
import {
  type ColorOption,
  HiddenLots,
  LockButton,
  type LotMark,
  LotOptions,
  MarkEdges,
} from "@/features/catalog/public";
import { formatCount, formatMoney } from "@/shared/lib/format";
import { stepped } from "@/shared/lib/stepped";
import { useStable } from "@/shared/lib/useStable";
import { type Press, useWaitingKeys } from "@/shared/scanner/presses";
import { ColorSwatch, KeyHint } from "@/shared/ui/Badge";
import { IconButton } from "@/shared/ui/Button";
import { Field, Input } from "@/shared/ui/Field";
import { ItemImage } from "@/shared/ui/ItemImage";
import { Popover } from "@/shared/ui/Popover";
import { ErrorState, Loading } from "@/shared/ui/states";
import { useLetter } from "../add/letters";
import type { Colors } from "./colors";

/** The colours of the item as chips, the likeliest first; ↑ ↓ choose, C filters, K locks. */
export function ColorList(props: {
  colors: Colors;
  filter: string;
  currency: string | undefined;
  filterRef: RefObject<HTMLInputElement | null>;
  onFilter: (text: string) => void;
  onChoose: (option: ColorOption) => void;
  onDone: () => void;
}) {
  const { colors, filter, currency, filterRef, onFilter, onChoose, onDone } = props;
  const { state, shown, chosen } = colors;
  const filterKey = useLetter("filterColors");
  const lockKey = useLetter("lockColor");
  const [marked, setMarked] = useState(0);
  // With a filter text, its first hit is marked; otherwise the card's colour.
  const at = filter ? Math.min(marked, shown.length - 1) : shown.findIndex(isSame(chosen));

  const onKeyDown = (event: Press | KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const option = shown[at];
    if (step) setMarked(stepped(at, step, shown.length));
    else if (event.key === "Enter" && option) choose(option);
    else if (event.key === "Escape") done();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  useWaitingKeys(onKeyDown, filterRef);
  const done = () => {
    onFilter("");
    onDone();
  };
  const choose = useStable((option: ColorOption) => {
    onChoose(option);
    onDone();
  });

  if (state === "idle") return null;
  if (state === "loading") return <Loading label="Colours…" />;
  if (state === "failed") return <ErrorState error={colors.error} onRetry={colors.tryAgain} />;
  return (
    <div className="flex min-h-40 flex-col gap-2">
      <div className="flex items-center gap-2">
        <h3 className="font-medium text-muted text-xs">Colour</h3>
        {chosen && chosen.colorId !== 0 && (
          <LockButton color={chosen} shortcut={lockKey} onDone={onDone} />
        )}
        <Field label="Filter the colours" hideLabel className="ml-auto w-44">
          <Input
            ref={filterRef}
            value={filter}
            placeholder="Filter"
            onChange={(event) => {
              setMarked(0);
              onFilter(event.target.value);
            }}
            onKeyDown={onKeyDown}
            className="h-7!"
          />
        </Field>
        <KeyHint>{filterKey}</KeyHint>
        <Popover
          label="Colour options"
          trigger={<IconButton size="sm" label="Colour options" icon={SlidersHorizontal} />}
        >
          <LotOptions />
        </Popover>
      </div>
      {colors.overruled && (
        <p className="text-warning text-xs">
          Seen or typed as {colors.overruled.name}; the locked colour counts.
        </p>
      )}
      <ul
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: one of the colours is chosen
        role="listbox"
        aria-label="Colours"
        className="-mx-1 grid min-h-24 grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] content-start gap-1.5 overflow-y-auto p-1 max-lg:max-h-56"
      >
        {shown.map((option, index) => (
          <ColorChip
            key={option.colorId}
            option={option}
            place={index === at ? index : null}
            currency={currency}
            marks={colors.marks.get(option.lotId ?? 0)}
            onChoose={choose}
          />
        ))}
      </ul>
      {!filter && <HiddenLots {...colors.hidden} />}
      {shown.length === 0 && (
        <p className="text-muted">
          {filter
            ? `No colour is called “${filter}”.`
            : "No colour is known for it: filter to choose one."}
        </p>
      )}
    </div>
  );
}

/** Scrolls the list to a line, never the page: the search field stays in view. */
function showInList(line: HTMLElement | null) {
  const list = line?.parentElement;
  if (!list) return;
  const [inner, outer] = [line.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop += inner.top - outer.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

/** Fifty may be drawn before the bin is: those whose option was made anew and is the same are not. */
const ColorChip = memo(
  function ColorChip(props: {
    option: ColorOption;
    /** Where the chosen one is: it is scrolled to when that changes. */
    place: number | null;
    currency: string | undefined;
    marks: readonly LotMark[] | undefined;
    onChoose: (option: ColorOption) => void;
  }) {
    const { option, place, currency, onChoose } = props;
    const chosen = place !== null;
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the card has the keys, ↑ and ↓
      <li
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of the listbox
        role="option"
        tabIndex={-1}
        aria-selected={chosen}
        ref={(node) => {
          if (chosen) showInList(node);
        }}
        onClick={() => onChoose(option)}
        className={clsx(
          "flex min-w-0 cursor-pointer items-center gap-2 rounded-control border p-1 pr-2",
          chosen
            ? "border-accent bg-accent-tint outline outline-accent"
            : "border-line hover:bg-hover",
        )}
      >
        <MarkEdges marks={props.marks ?? []} />
        {/* Its name follows as text. */}
        {option.imageUrl ? (
          <ItemImage src={option.imageUrl} type="PART" colorHtml={option.html} size="xs" />
        ) : (
          <span className="flex size-8 shrink-0 items-center justify-center">
            <ColorSwatch html={option.html} size="lg" />
          </span>
        )}
        <span className="min-w-0 flex-1 leading-tight">
          <span className={clsx("block truncate", chosen && "font-semibold")} title={option.name}>
            {option.name}
          </span>
          <span className="flex gap-x-2 text-muted text-xs tabular-nums">
            {option.owned > 0 && (
              <span className="text-success">{formatCount(option.owned)} owned</span>
            )}
            {!option.isKnown && <span className="text-warning">not known in it</span>}
            {option.price !== null && <span>{formatMoney(option.price, currency)}</span>}
          </span>
        </span>
      </li>
    );
  },
  (before, now) => replaceEqualDeep(before, now) === before,
);

const isSame = (chosen: ColorOption | null) => (option: ColorOption) =>
  option.colorId === chosen?.colorId;
