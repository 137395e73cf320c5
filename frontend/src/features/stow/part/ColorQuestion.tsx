import { clsx } from "clsx";
import { type KeyboardEvent, useState } from "react";
import {
  type CatalogItem,
  type ColorOption,
  HiddenLots,
  type LotMark,
  MarkEdges,
} from "@/features/catalog/public";
import { formatCount } from "@/shared/lib/format";
import { stepped } from "@/shared/lib/stepped";
import { type Press, useWaitingKeys } from "@/shared/scanner/presses";
import { Kbd } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Field, Input } from "@/shared/ui/Field";
import { ItemImage } from "@/shared/ui/ItemImage";
import { binsOf } from "../bin/bins";
import type { Destination } from "../model";
import { useReading } from "../resolve";
import type { Station } from "../useStation";

/** As many as there are digit keys. */
const BY_DIGIT = 9;

/** Shown in place of the bin until a colour is chosen: pictures, with none selected. */
export function ColorQuestion({ station, item }: { station: Station; item: CatalogItem }) {
  const { card, colors, refs } = station;
  const { shown } = colors;
  const [showsAll, setShowsAll] = useState(false);
  const [touched, setTouched] = useState(false);
  const [missed, setMissed] = useState(false);
  const options = showsAll ? shown : shown.slice(0, BY_DIGIT);
  const filter = card.colorFilter;
  const at = colors.named ? options.indexOf(colors.named) : -1;

  const onType = (text: string) => {
    setMissed(false);
    const byDigit = filter === "" && /^[1-9]$/.test(text) ? options[Number(text) - 1] : undefined;
    if (byDigit) station.chooseColor(byDigit, { add: false });
    else station.dispatch({ type: "colorsFiltered", text });
  };
  const onKeyDown = (event: Press | KeyboardEvent) => {
    const list = refs.colorFilter.current?.closest("section")?.querySelector("[role=listbox]");
    const step = stepOf(event.key, filter, list);
    const option = options[at];
    const next = step && options[stepped(at < 0 && step < 0 ? 0 : at, step, options.length)];
    if (next) station.dispatch({ type: "colorMarked", colorId: next.colorId });
    else if (event.key === "Enter" && option) station.chooseColor(option, { add: true });
    else if (event.key === "Escape" && filter) onType("");
    else if (event.key === "Escape") station.run({ do: "escape" });
    else if (event.key !== "Enter") return;
    else setMissed(filter === "");
    event.preventDefault();
    event.stopPropagation();
  };
  useWaitingKeys(onKeyDown, refs.colorFilter);
  return (
    <section aria-label="Which colour?" className="@container flex flex-col gap-3">
      <p className="-mb-2 truncate text-base text-muted max-sm:hidden">{item.item_name}</p>
      <h2 className="font-bold text-3xl tracking-tight sm:text-5xl">Which colour?</h2>
      {colors.asks && (
        <p className="text-warning">“{colors.asks}” may mean several colours. Choose one.</p>
      )}
      <Field
        label="Which colour?"
        hideLabel
        error={missed ? "Choose a colour first: 1 to 9, or its name." : undefined}
      >
        <Input
          ref={refs.colorFilter}
          role="combobox"
          aria-expanded
          aria-controls="stow-colours"
          aria-autocomplete="list"
          aria-activedescendant={at < 0 ? undefined : optionId(at)}
          // A scan may begin with a digit, and a digit chooses a colour.
          data-keys={filter === "" ? "commands" : undefined}
          // The pictures can be tapped: a phone's keyboard opens only when the field is tapped.
          inputMode={touched || !isTouch() ? "text" : "none"}
          onPointerDown={() => setTouched(true)}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          value={filter}
          placeholder={
            isTouch() ? "Tap one, or type a name" : "1 to 9, or a name: “red” or “red 12”"
          }
          maxLength={60}
          onChange={({ target }) => onType(target.value)}
          onKeyDown={onKeyDown}
          className="h-11! text-base!"
        />
      </Field>
      {colors.named && <NamedBin station={station} item={item} option={colors.named} />}
      <ul
        id="stow-colours"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the list of the combobox above
        role="listbox"
        aria-label="Colours"
        className="grid grid-cols-3 gap-x-3 gap-y-2"
      >
        {options.map((option, index) => (
          <Tile
            key={option.colorId}
            option={option}
            item={item}
            index={index}
            byDigit={filter === "" && index < BY_DIGIT}
            marks={colors.marks.get(option.lotId ?? 0) ?? []}
            marked={index === at}
            onChoose={() => station.chooseColor(option, { add: false })}
          />
        ))}
      </ul>
      {options.length === 0 && <p className="text-muted">No colour is called “{filter}”.</p>}
      {!filter && <HiddenLots {...colors.hidden} />}
      {shown.length > BY_DIGIT && (
        <Button
          variant="ghost"
          className="self-start"
          onClick={() => {
            setShowsAll(!showsAll);
            station.refs.colorFilter.current?.focus();
          }}
        >
          {showsAll ? "Only the likeliest" : `All ${shown.length} colours`}
        </Button>
      )}
    </section>
  );
}

/** The bin of the colour that is named: it is seen before the Enter that adds. */
function NamedBin(props: { station: Station; item: CatalogItem; option: ColorOption }) {
  const { station, item, option } = props;
  const { asked, wholeSession, card, direct } = station;
  const { bin, destination, settled } = binsOf(item, option, asked, wholeSession, useReading);
  const name = bin?.name ?? station.first.firstBin;
  return (
    <p className="-my-1 flex min-h-8 items-baseline gap-2 text-muted" aria-live="polite">
      <span className="shrink-0">
        <Kbd>Enter</Kbd> {direct ? "stows" : "adds"} {card.quantity} {option.name}{" "}
        {name ? "to" : settled && "without a bin"}
      </span>
      {name && <strong className="whitespace-nowrap text-2xl text-ink leading-8">{name}</strong>}
      {destination && <span className="min-w-0 truncate">{roomText(destination)}</span>}
    </p>
  );
}

const roomText = ({ reason, available_item_count: room }: Destination) =>
  room === null ? reason : `${reason}, room for ${formatCount(room)}`;

function Tile(props: {
  option: ColorOption;
  item: CatalogItem;
  index: number;
  byDigit: boolean;
  marks: readonly LotMark[];
  marked: boolean;
  onChoose: () => void;
}) {
  const { option, item, index, byDigit, marked, onChoose } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
    <li
      id={optionId(index)}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of the listbox
      role="option"
      tabIndex={-1}
      aria-selected={marked}
      ref={(node) => {
        if (marked) node?.scrollIntoView?.({ block: "nearest" });
      }}
      onClick={onChoose}
      className={clsx(
        "relative flex min-w-0 cursor-pointer flex-col gap-1 rounded-card p-1",
        marked ? "bg-accent-tint outline-2 outline-accent" : "hover:bg-hover",
      )}
    >
      <MarkEdges marks={props.marks} />
      {/* Its name follows below. */}
      <ItemImage src={option.imageUrl} type={item.item_type} colorHtml={option.html} size="wide" />
      {byDigit && (
        <span aria-hidden="true" className="absolute top-2 left-2 pointer-coarse:hidden">
          <Kbd>{index + 1}</Kbd>
        </span>
      )}
      <span className="flex items-baseline justify-between gap-2 px-1 text-sm">
        <span className="line-clamp-2 min-w-0">{option.name}</span>
        <span className="shrink-0 text-muted text-xs tabular-nums">
          {option.owned > 0 ? (
            <>
              {formatCount(option.owned)}
              <span className="max-sm:sr-only"> owned</span>
            </>
          ) : (
            !option.isKnown && <span title="This colour is not in the catalogue">unlisted</span>
          )}
        </span>
      </span>
    </li>
  );
}

const optionId = (index: number) => `stow-colour-${index}`;

const isTouch = () => window.matchMedia("(pointer: coarse)").matches;

/**
 * The step of an arrow key: one row of pictures up or down; one picture sideways, if the field is
 * empty.
 */
function stepOf(key: string, filter: string, list: Element | null | undefined): number | undefined {
  const columns = list ? getComputedStyle(list).gridTemplateColumns.split(" ").length : 1;
  const sideways: Record<string, number> = filter ? {} : { ArrowRight: 1, ArrowLeft: -1 };
  return { ...sideways, ArrowDown: columns, ArrowUp: -columns }[key];
}
