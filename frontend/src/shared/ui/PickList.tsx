import { clsx } from "clsx";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { stepped } from "@/shared/lib/stepped";
import { type Press, useWaitingKeys } from "@/shared/scanner/presses";
import { Field, Input } from "./Field";
import { Loading } from "./states";

/** A search field above a list that is always visible: arrows choose, Enter selects. */
export function PickList<Item>(props: {
  label: string;
  hint?: ReactNode;
  /** Another way to find an entry, at the end of the field. */
  beside?: ReactNode;
  placeholder?: string;
  text: string;
  onText: (text: string) => void;
  options: readonly Item[];
  getKey: (item: Item) => string | number;
  renderOption: (item: Item) => ReactNode;
  onPick: (item: Item) => void;
  /** Whether the options belong to the text; Enter waits until they do. */
  settled: boolean;
  loading: boolean;
  empty: ReactNode;
  inputRef?: RefObject<HTMLInputElement | null>;
  autoFocus?: boolean;
}) {
  const { label, text, onText, options, getKey, renderOption, onPick, settled, loading } = props;
  const listId = useId();
  const own = useRef<HTMLInputElement>(null);
  const input = props.inputRef ?? own;
  const [marked, setMarked] = useState(0);
  const at = Math.min(marked, options.length - 1);
  const [entered, setEntered] = useState(false);
  const pick = useEffectEvent(() => {
    setEntered(false);
    const option = options[at];
    if (option !== undefined) onPick(option);
  });
  useEffect(() => {
    if (entered && settled) pick();
  }, [entered, settled]);

  const onKeyDown = (event: Press | KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setMarked(stepped(at, step, options.length));
    else if (event.key === "Enter") setEntered(true);
    else return;
    event.preventDefault();
  };
  useWaitingKeys(onKeyDown, input);
  return (
    <div className="flex flex-col gap-2">
      <Field label={label} hint={props.hint}>
        <div className="flex gap-2">
          <Input
            ref={input}
            autoFocus={props.autoFocus}
            role="combobox"
            aria-expanded
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={options.length ? `${listId}-${at}` : undefined}
            value={text}
            placeholder={props.placeholder}
            onChange={(event) => {
              setMarked(0);
              setEntered(false);
              onText(event.target.value);
            }}
            onKeyDown={onKeyDown}
          />
          {props.beside}
        </div>
      </Field>
      <ul
        id={listId}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the list of the combobox above
        role="listbox"
        aria-label={label}
        className="-mx-1 flex max-h-72 flex-col overflow-y-auto px-1"
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <li
            key={getKey(option)}
            id={`${listId}-${index}`}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of the listbox
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            ref={(node) => {
              if (index === at) node?.scrollIntoView?.({ block: "nearest" });
            }}
            onPointerMove={() => setMarked(index)}
            onClick={() => onPick(option)}
            className={clsx(
              "cursor-pointer rounded-control px-2 py-2 pointer-coarse:py-3",
              index === at && "bg-hover",
            )}
          >
            {renderOption(option)}
          </li>
        ))}
      </ul>
      {options.length === 0 &&
        (loading ? (
          <Loading label="Searching…" />
        ) : (
          <div className="px-1 text-muted text-sm">{props.empty}</div>
        ))}
    </div>
  );
}
