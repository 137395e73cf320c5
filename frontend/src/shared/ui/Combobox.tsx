import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Input } from "./Field";
import { LazyPanel } from "./Popover";
import { Spinner } from "./Spinner";

/**
 * Type to search, arrows to choose, Enter to select. The caller provides the options for `text`,
 * sorted, so a list of the server works like a fixed one. Put it in a Field, which names it.
 */
export function Combobox<Item>(props: {
  text: string;
  onText: (text: string) => void;
  options: readonly Item[];
  getKey: (item: Item) => string;
  renderOption: (item: Item) => ReactNode;
  onPick: (item: Item) => void;
  loading?: boolean;
  /** The options belong to an earlier text: an Enter typed ahead waits for the new ones. */
  isStale?: boolean;
  /** Whether an Enter typed ahead may select this option, which the person has not seen. */
  mayTakeUnseen?: (item: Item) => boolean;
  /** The text is the selected option: focusing the field does not open the list. */
  isChosen?: boolean;
  /** Shown when no option matches the text. */
  empty: ReactNode;
  placeholder?: string;
  autoFocus?: boolean;
}) {
  const { text, options, getKey, onPick, loading, isStale = false } = props;
  const listId = useId();
  const anchor = useRef<HTMLDivElement>(null);
  // A text set from outside (a scan) is no search: the list closes.
  const [openFor, setOpenFor] = useState<string | null>(null);
  const open = openFor === text;
  const [active, setActive] = useState(0);
  const current = Math.min(active, options.length - 1);

  const pick = (item: Item | undefined) => {
    if (item === undefined) return;
    onPick(item);
    setOpenFor(null);
  };
  // Enter was typed before the options for this text had arrived.
  const [ahead, setAhead] = useState<string | null>(null);
  useEffect(() => {
    if (ahead === null || isStale) return;
    setAhead(null);
    const [first] = options;
    if (!open || ahead !== text || first === undefined) return;
    if (props.mayTakeUnseen?.(first) ?? true) pick(first);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (!open) setOpenFor(text);
      else if (options.length) setActive((current + step + options.length) % options.length);
    } else if (event.key === "Enter" && open && isStale && active === 0) {
      event.preventDefault();
      setAhead(text);
    } else if (event.key === "Enter" && open && options.length) {
      event.preventDefault();
      pick(options[current]);
    } else if (event.key === "Escape" && open) {
      event.stopPropagation();
      setOpenFor(null);
    }
  };

  const activeOption = options[current];
  return (
    <>
      <div ref={anchor} className="relative">
        <Input
          role="combobox"
          aria-expanded={open}
          aria-controls={open ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={open && activeOption ? `${listId}-${current}` : undefined}
          autoFocus={props.autoFocus}
          value={text}
          placeholder={props.placeholder}
          onChange={(event) => {
            props.onText(event.target.value);
            setActive(0);
            setOpenFor(event.target.value);
          }}
          onFocus={() => {
            LazyPanel.preload();
            if (text && !props.isChosen) setOpenFor(text);
          }}
          onKeyDown={onKeyDown}
        />
        {loading && <Spinner className="absolute top-2 right-2 text-muted" />}
      </div>
      {open && (
        <LazyPanel
          anchor={anchor}
          label="Suggestions"
          align="start"
          under
          onClose={() => setOpenFor(null)}
        >
          <Options
            {...{ listId, options, getKey, current }}
            render={props.renderOption}
            onActive={setActive}
            onPick={pick}
          />
          {options.length === 0 && (
            <div role="status" className="px-2 py-2 text-muted text-sm">
              {loading ? "Searching…" : props.empty}
            </div>
          )}
        </LazyPanel>
      )}
    </>
  );
}

/** The focus stays in the input, which names the active one. */
function Options<Item>(props: {
  listId: string;
  options: readonly Item[];
  current: number;
  getKey: (item: Item) => string;
  render: (item: Item) => ReactNode;
  onActive: (index: number) => void;
  onPick: (item: Item) => void;
}) {
  const { listId, options, current } = props;
  return (
    <div role="listbox" id={listId} aria-label="Suggestions" tabIndex={-1}>
      {options.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the input (aria-activedescendant)
        <div
          key={props.getKey(item)}
          id={`${listId}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          ref={(node) => {
            if (index === current) node?.scrollIntoView?.({ block: "nearest" });
          }}
          onPointerMove={() => props.onActive(index)}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => props.onPick(item)}
          className={clsx(
            "cursor-pointer rounded-control px-2 py-1.5 pointer-coarse:py-2.5",
            index === current && "bg-hover",
          )}
        >
          {props.render(item)}
        </div>
      ))}
    </div>
  );
}
