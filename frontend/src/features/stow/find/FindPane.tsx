import { clsx } from "clsx";
import { Search, X } from "lucide-react";
import { memo, type ReactNode, type Ref, useEffect, useState } from "react";
import type { CatalogItem } from "@/features/catalog/public";
import {
  CandidateNote,
  isKnown,
  NoneOfThese,
  OtherAnswer,
  type Recognition,
  type Candidate as SeenItem,
  seenOf,
} from "@/features/recognition/public";
import { useStable } from "@/shared/lib/useStable";
import { ColorSwatch, Kbd } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Field, Input } from "@/shared/ui/Field";
import { ItemImage } from "@/shared/ui/ItemImage";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Spinner } from "@/shared/ui/Spinner";
import { ErrorState, Notice } from "@/shared/ui/states";
import { TypeTag } from "@/shared/ui/TypeTag";
import type { SearchType } from "../model";
import { type Card, isBlank, searchText } from "./card";
import type { LeftPicture } from "./leftPicture";
import type { Matches } from "./matches";

const prompts: Record<SearchType, { label: string; placeholder: string }> = {
  image: { label: "Number or name", placeholder: "3001, or brick 2 x 4" },
  number: { label: "Item number", placeholder: "3001" },
  name: { label: "Item name", placeholder: "brick 2 x 4" },
};

const searches = { image: "Image", number: "Number", name: "Name" };

const LIST = "stow-matches";
const LATER = "stow-later-matches";
const optionId = (index: number) => `${LIST}-${index}`;

/** The search field and its matches, numbered for Alt+1 to Alt+9. */
export function FindPane(props: {
  card: Card;
  /** The marked match. */
  at: number;
  searchType: SearchType;
  matches: Matches;
  inputRef: Ref<HTMLInputElement>;
  /** The camera, where items are searched by picture. */
  camera: ReactNode;
  onSearchBy: (type: SearchType) => void;
  /** Recognised on the picture, but not in the catalogue. */
  unknown: readonly SeenItem[];
  /** The recognised items, with the provider of each. */
  recognition: Recognition;
  /** The person refuses all recognised items. */
  onNone: () => void;
  /** Other help to recognise the part on the picture. */
  help: ReactNode;
  /** The colour and category seen on the picture, as a filter of the search by number or name. */
  left: LeftPicture | null;
  onKeepOfLeft: (kept: Partial<LeftPicture>) => void;
  onType: (text: string) => void;
  /** Keeps the focus in the field after an item was taken. */
  onEdit: () => void;
  onTake: (index: number) => void;
}) {
  const { card, at, searchType, matches, inputRef, onType, onEdit, onSearchBy, camera } = props;
  const { recognition } = props;
  const onTake = useStable(props.onTake);
  const { state, items } = matches;
  const { label, placeholder } = prompts[searchType];
  const marked = items[at] ? optionId(card.candidate) : undefined;
  const seen = seenOf(recognition);
  const seenOfItem = (item: CatalogItem | undefined) =>
    card.seen && item ? seen.find((each) => each.item_id === item.id) : undefined;
  const seenMarked = seenOfItem(items[at]);
  const first =
    card.seen && recognition.state === "found"
      ? recognition.candidates.filter(isKnown).length
      : items.length;
  const matchOf = (item: CatalogItem, index: number) => (
    <Candidate
      key={item.id}
      id={optionId(index)}
      item={item}
      index={index}
      marked={index === at}
      seen={seenOfItem(item)}
      isSeen={card.seen !== null}
      isShort={card.taken}
      onTake={onTake}
    />
  );
  return (
    // Positioned, because it scrolls: otherwise hidden texts for screen readers make the page
    // taller.
    <section
      aria-label="Find"
      className="relative flex flex-col gap-3 p-4 short:gap-2 short:py-2 max-sm:gap-2 max-sm:py-2 lg:min-h-0 lg:overflow-y-auto"
    >
      {searchType === "image" && camera}
      <span className={clsx(!isBlank(card) && "max-lg:hidden")}>
        <SegmentedControl
          label="Search by"
          value={searchType}
          options={searches}
          onChange={onSearchBy}
        />
      </span>
      <Field label={label} hideLabel>
        <div className="relative">
          <Search
            aria-hidden="true"
            className="-translate-y-1/2 absolute top-1/2 left-3 size-5 text-muted"
          />
          <Input
            ref={inputRef}
            role="combobox"
            aria-expanded={items.length > 0}
            aria-controls={`${LIST} ${LATER}`}
            aria-autocomplete="list"
            aria-activedescendant={marked}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
            value={card.text}
            placeholder={placeholder}
            maxLength={200}
            onChange={(event) => onType(event.target.value)}
            onPointerDown={() => card.taken && onEdit()}
            className="h-12! pr-10 pl-10 font-semibold text-lg! placeholder:font-normal"
          />
          {state === "searching" && (
            <Spinner className="-translate-y-1/2 absolute top-1/2 right-3 text-muted" />
          )}
        </div>
      </Field>

      {props.left && <Narrowed left={props.left} onKeep={props.onKeepOfLeft} />}
      <ul
        id={LIST}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the matches of the combobox above
        role="listbox"
        aria-label="Matches"
        aria-busy={state === "searching"}
        className={clsx(
          // Low pages show one match at a time, so that field and bin are both in view.
          "flex flex-col gap-1 short:max-h-19 short:overflow-y-auto",
          state === "searching" && "opacity-60",
          // Once a match is taken, a narrow page uses the room for the card: of matches that were
          // seen, the pictures stay in one row.
          card.taken && (card.seen ? "max-lg:flex-row max-lg:overflow-x-auto" : "max-lg:hidden"),
        )}
      >
        {items.slice(0, first).map(matchOf)}
      </ul>
      {card.seen && items.length > 0 && (
        <>
          <div
            aria-hidden="true"
            className="-mt-2 h-8 shrink-0 overflow-hidden px-1 max-lg:hidden [&>span]:truncate"
          >
            {seenMarked && <CandidateNote candidate={seenMarked} />}
          </div>
          {props.help}
          <NoneOfThese key={seen[0]?.capture} onNone={props.onNone} />
          {/* Below all that can be pressed: what comes late moves nothing. */}
          <OtherAnswer recognition={recognition} />
        </>
      )}
      {items.length > first && (
        <ul
          id={LATER}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: more matches of the combobox above
          role="listbox"
          aria-label="Named besides"
          className={clsx("flex flex-col gap-1", card.taken && "max-lg:hidden")}
        >
          {items.slice(first).map((item, index) => matchOf(item, first + index))}
        </ul>
      )}
      {card.seen && props.unknown.length > 0 && <NotInCatalogue items={props.unknown} />}
      <SearchState matches={matches} text={searchText(card)} />
    </section>
  );
}

const Candidate = memo(function Candidate(props: {
  id: string;
  item: CatalogItem;
  index: number;
  marked: boolean;
  /** Recognised on a picture: the recogniser's score is shown. */
  isSeen: boolean;
  seen: SeenItem | undefined;
  /** On a narrow page it is a picture alone. */
  isShort: boolean;
  onTake: (index: number) => void;
}) {
  const { id, item, index, marked, isSeen, seen, isShort, onTake } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys (aria-activedescendant)
    <li
      id={id}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of the listbox
      role="option"
      tabIndex={-1}
      aria-selected={marked}
      onClick={() => onTake(index)}
      className={clsx(
        "relative flex cursor-pointer items-center gap-3 rounded-card border px-2.5 py-2 pointer-coarse:py-2.5",
        isSeen && "lg:min-h-16 lg:py-1",
        isShort && "max-lg:shrink-0 max-lg:p-0.5!",
        marked ? "border-accent bg-accent-tint" : "border-transparent hover:bg-hover",
      )}
    >
      {index < 9 && (
        <span className={clsx("pointer-coarse:hidden", isShort && "max-lg:sr-only")}>
          <Kbd>{index + 1}</Kbd>
        </span>
      )}
      <ItemImage
        src={item.image_url}
        type={item.item_type}
        name={item.item_name}
        size={isSeen ? "row" : "md"}
      />
      <span className={clsx("flex min-w-0 flex-1 flex-col", isShort && "max-lg:sr-only")}>
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="font-semibold tabular-nums">{item.item_number}</span>
          <TypeTag type={item.item_type} short />
          {isSeen && <Score score={item.score ?? 0} />}
        </span>
        <span
          className={clsx(
            "line-clamp-2",
            // Both lines of a name fit into the height of the picture: its end says left or right.
            isSeen ? "text-sm lg:text-xs lg:leading-tight" : "text-sm",
          )}
        >
          {item.item_name}
        </span>
        {!isSeen && <span className="truncate text-muted text-xs">{item.category}</span>}
        {seen && (
          // On a wide page it stands below the list, where it moves no row.
          <span className="block lg:sr-only">
            <CandidateNote candidate={seen} />
          </span>
        )}
      </span>
    </li>
  );
});

function Score({ score }: { score: number }) {
  return (
    <span className="ml-auto flex w-10 shrink-0 flex-col items-end gap-1">
      <span className="font-semibold text-xs tabular-nums">
        <span className="sr-only">Score </span>
        {formatShare(score)}
      </span>
      <span aria-hidden="true" className="h-1.5 w-full overflow-hidden rounded-full bg-line">
        <span style={{ width: `${score * 100}%` }} className="block h-full bg-accent" />
      </span>
    </span>
  );
}

/** The colour and category that were seen narrow the search; each can be let go. */
function Narrowed(props: { left: LeftPicture; onKeep: (kept: Partial<LeftPicture>) => void }) {
  const { left, onKeep } = props;
  if (left.colorId === null && left.category === null) return null;
  return (
    <p className="flex flex-wrap items-center gap-1.5 text-sm">
      <span className="text-muted">Only</span>
      {left.colorId !== null && (
        <Button
          size="sm"
          aria-label={`In any colour, not only ${left.colorName}`}
          onClick={() => onKeep({ colorId: null })}
        >
          <ColorSwatch html={left.colorHtml} />
          {left.colorName}
          <X aria-hidden="true" className="size-3.5" />
        </Button>
      )}
      {left.category !== null && (
        <Button
          size="sm"
          aria-label={`Of any category, not only ${left.category}`}
          onClick={() => onKeep({ category: null })}
        >
          <span className="max-w-40 truncate">{left.category}</span>
          <X aria-hidden="true" className="size-3.5" />
        </Button>
      )}
    </p>
  );
}

/** What the recogniser named and the catalogue has not: shown, and nothing to add. */
function NotInCatalogue({ items }: { items: readonly SeenItem[] }) {
  return (
    <section className="px-1 text-muted text-sm">
      <h3 className="font-medium text-xs">Not in your catalogue</h3>
      <ul>
        {items.map((item) => (
          <li key={item.item_number} className="truncate">
            {item.item_number} {item.item_name}, {formatShare(item.score)}
          </li>
        ))}
      </ul>
    </section>
  );
}

const formatShare = (score: number) => `${Math.round(score * 100)} %`;

/** After this time the page says that the search is slow. */
const SLOW_MS = 2000;

function SearchState({ matches, text }: { matches: Matches; text: string }) {
  const { state, items, error, tryAgain } = matches;
  const isSlow = useLasting(state === "searching" && matches.isFetching, SLOW_MS);
  if (state === "failed") {
    return <ErrorState title="The catalogue did not answer" error={error} onRetry={tryAgain} />;
  }
  if (isSlow) {
    return (
      <Notice tone="warning">
        The catalogue is slow. What you typed is kept: continue, or wait.
      </Notice>
    );
  }
  if (state === "settled" && items.length === 0) {
    return (
      <p className="px-1 text-muted">
        Nothing matches “{text}”. <Kbd>Enter</Kbd> shows what else to try.
      </p>
    );
  }
  return null;
}

/** Whether `on` has been true for `ms`. */
function useLasting(on: boolean, ms: number): boolean {
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!on) return;
    const timer = setTimeout(() => setLasting(true), ms);
    return () => {
      clearTimeout(timer);
      setLasting(false);
    };
  }, [on, ms]);
  return lasting;
}
