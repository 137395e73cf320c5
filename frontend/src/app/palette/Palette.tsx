import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Search } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router-dom";
import { recentItems } from "@/features/catalog/public";
import { useSetPrice } from "@/features/inventory/public";
import { counted, formatCount } from "@/shared/lib/format";
import { isItemType } from "@/shared/lib/itemTypes";
import { useDebounced } from "@/shared/lib/useDebounced";
import { homeQuery } from "@/shared/query/homeQuery";
import { type Press, useWaitingKeys } from "@/shared/scanner/presses";
import { useCards, useScanner } from "@/shared/scanner/scans";
import { Kbd } from "@/shared/ui/Badge";
import { BareDialog, CloseByEscape } from "@/shared/ui/BareDialog";
import { ItemImage } from "@/shared/ui/ItemImage";
import { Spinner } from "@/shared/ui/Spinner";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { LoadProblem } from "@/shared/ui/states";
import { type Act, type Choice, groupsAtRest, groupsOf, nameOfPart, readTyped } from "./choices";
import { findQuery } from "./queries";

const REST_MS = 80;
/** What waits changes slowly: the palette opens without asking each time. */
const HOME_MS = 60_000;
const MOST_LETTERS = 100; // as many as the search reads

/** One field that finds parts, bins, batches, sets, sources, pages and acts. */
export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  /** Enter, or the key of an act, came before the answer to this text: it is for the first find. */
  const [ahead, setAhead] = useState<{ typed: string; key: string } | null>(null);
  const list = useId();
  const field = useRef<HTMLInputElement>(null);

  const { text: whole, price } = readTyped(typed);
  const text = whole.slice(0, MOST_LETTERS);
  const rested = useDebounced(text, REST_MS);
  const found = useQuery(findQuery(rested));
  const isCurrent = text === "" || (rested === text && found.isSuccess && !found.isPlaceholderData);
  const home = useSideQuery({ ...homeQuery(), staleTime: HOME_MS }, "what waits for you");
  const [looked] = useState(recentItems);
  const groups = text === "" ? groupsAtRest(home, looked) : groupsOf(text, found.data);
  const choices = groups.flatMap((group) => group.choices);
  const at = Math.min(active, choices.length - 1);
  const current = choices[at];

  // Whoever is next finds no dialog in the way.
  const letPass = () => {
    flushSync(onClose);
    return false;
  };
  useScanner(letPass);
  useCards(letPass);

  const setPrice = useSetPrice();
  const priced = price === null ? null : (current?.part?.row_id ?? null);

  const go = (to: string) => {
    onClose();
    void navigate(to);
  };
  const take = (choice: Choice) => {
    const row = choice.part?.row_id ?? null;
    if (price === null || row === null) return go(choice.to);
    onClose();
    void setPrice(row, price);
  };
  useEffect(() => {
    if (ahead === null || !isCurrent) return;
    setAhead(null);
    const [first] = choices;
    if (ahead.typed !== typed || !first) return;
    if (ahead.key === "Enter") return take(first);
    const act = actOfKey(first.acts, ahead.key);
    if (act) go(act.to);
  });

  const onKeyDown = (event: Press) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const act = event.altKey ? actOfKey(current?.acts, event.code) : undefined;
    if (step && choices.length > 0) {
      event.preventDefault();
      setActive((at + step + choices.length) % choices.length);
    } else if (event.key === "Enter" && !event.repeat) {
      event.preventDefault();
      if (isCurrent && current) take(current);
      else if (!isCurrent && !found.isError) setAhead({ typed, key: "Enter" });
    } else if (act) {
      event.preventDefault();
      if (isCurrent) go(act.to);
      else if (!found.isError) setAhead({ typed, key: event.code });
    }
  };

  useWaitingKeys(onKeyDown, field);

  let place = -1;
  return (
    <BareDialog title="Find anything" onClose={onClose}>
      <div className="flex items-center gap-3 border-line border-b px-4 py-3">
        {isCurrent ? (
          <Search aria-hidden="true" className="size-5 shrink-0 text-muted" />
        ) : (
          <Spinner className="shrink-0 text-muted" />
        )}
        <input
          role="combobox"
          aria-label="Find a part, bin, batch, set, source, page or act"
          aria-expanded="true"
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={current ? `${list}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          placeholder="3001 red, A-1-07, a page …"
          onChange={(event) => {
            setTyped(event.target.value);
            setActive(0);
            setAhead(null);
          }}
          ref={field}
          onKeyDown={({ nativeEvent }) => onKeyDown(nativeEvent)}
          className="h-8 min-w-0 flex-1 bg-transparent text-lg outline-none placeholder:text-faint"
        />
        <CloseByEscape />
      </div>
      <div
        id={list}
        role="listbox"
        aria-label="Found"
        aria-busy={!isCurrent}
        tabIndex={-1}
        className="min-h-0 flex-1 overflow-y-auto p-2"
      >
        {groups.map(({ title, choices: some }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
          <div key={title} role="group" aria-label={title} className="not-first:mt-2">
            <p className="px-3 py-1 font-medium text-muted text-xs">{title}</p>
            {some.map((choice) => {
              place += 1;
              const here = place;
              return (
                <Line
                  key={choice.key}
                  id={`${list}-${here}`}
                  choice={choice}
                  active={here === at}
                  onPoint={() => setActive(here)}
                  onTake={take}
                  onGo={go}
                />
              );
            })}
          </div>
        ))}
      </div>
      {text !== "" && found.isError && (
        <div className="px-4 pb-4">
          <LoadProblem query={found} what="What this finds" />
        </div>
      )}
      {choices.length === 0 && isCurrent && (
        <p role="status" className="px-5 pb-5 text-muted text-sm">
          Nothing found. Try a number, a word of the name, or the name of a bin.
        </p>
      )}
      <footer className="flex items-center gap-2 border-line border-t bg-sunken px-4 py-2 text-muted text-xs pointer-coarse:hidden">
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd> choose
        <Kbd>Enter</Kbd> {priced === null ? "open" : `set the price to ${price}`}
        {current?.part?.row_id && price === null && (
          <>
            <Kbd>@0.15</Kbd> set a price
          </>
        )}
      </footer>
    </BareDialog>
  );
}

/** By the key's place, since Alt writes other letters on some keyboards. */
const actOfKey = (acts: readonly Act[] = [], code: string) =>
  acts.find(({ letter }) => code === `Key${letter}`);

function Line(props: {
  id: string;
  choice: Choice;
  active: boolean;
  onPoint: () => void;
  onTake: (choice: Choice) => void;
  onGo: (to: string) => void;
}) {
  const { id, choice, active, onPoint, onTake, onGo } = props;
  const { part, icon: Icon } = choice;
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) line.current?.scrollIntoView?.({ block: "nearest" });
  }, [active]);
  return (
    <div
      ref={line}
      role="presentation"
      onPointerMove={onPoint}
      className={clsx("rounded-control", active && "bg-accent-tint")}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the input (aria-activedescendant) */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={active}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onTake(choice)}
        className="flex min-h-12 cursor-pointer items-center gap-3 px-3 py-1.5"
      >
        {part ? (
          <ItemImage
            src={part.image_url}
            type={isItemType(part.item_type) ? part.item_type : "PART"}
            colorHtml={part.color_html}
            size={active ? "md" : "sm"}
          />
        ) : (
          <span className="flex size-9 shrink-0 items-center justify-center rounded-control bg-sunken">
            <Icon aria-hidden="true" className="size-4 text-muted" />
          </span>
        )}
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">
            {part ? nameOfPart(part) : choice.title}
          </span>
          <span className="block truncate text-muted text-sm">
            {part && <span className="font-mono text-xs">{part.item_number} · </span>}
            {choice.detail}
          </span>
        </span>
        {part && part.pieces > 0 && (
          <span className="shrink-0 text-right tabular-nums">
            <span aria-hidden="true" className={clsx(active && "font-semibold text-xl")}>
              {formatCount(part.pieces)}
            </span>
            <span className="sr-only">{counted(part.pieces, "piece")} in stock</span>
          </span>
        )}
      </div>
      {active && choice.acts && <Acts acts={choice.acts} onPick={onGo} />}
    </div>
  );
}

function Acts({ acts, onPick }: { acts: readonly Act[]; onPick: (to: string) => void }) {
  return (
    <div className="flex flex-wrap items-center gap-1 px-2 pb-1.5">
      {acts.map(({ letter, label, to }) => (
        <button
          key={letter}
          type="button"
          tabIndex={-1}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(to)}
          className="inline-flex items-center gap-1.5 rounded-control px-2 py-1 text-sm hover:bg-hover pointer-coarse:py-2"
        >
          {label}
          <span className="pointer-coarse:hidden">
            <Kbd>Alt {letter}</Kbd>
          </span>
        </button>
      ))}
    </div>
  );
}
