import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { NavLink } from "react-router-dom";
import { type NavAction, type NavEntry, shown } from "./navigation";
import { useDismissal } from "./useDismissal";

type Entry = NavEntry | NavAction;

/**
 * A dropdown of the bar. The bar keeps which one is open, so that only one is open at a time.
 * It closes on a choice, a click outside (but not on the export-batch-items button), Escape, and
 * when the focus goes elsewhere by Tab.
 */
export function Dropdown(props: {
  label: string;
  trigger: ReactNode;
  triggerClass: string;
  entries: readonly Entry[];
  open: boolean;
  onToggle: () => void;
  onClose: () => void;
  onAction?: (action: NavAction["action"]) => void;
  align?: "left" | "right";
}) {
  const { label, entries, open, onToggle, onClose, onAction, align = "left" } = props;
  const id = useId();
  const holder = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const phase = usePhase(open);

  useDismissal({ open, onClose, holder, opener: button });

  const focusEntry = (pick: (items: HTMLElement[], at: number) => HTMLElement | undefined) => {
    const items = [...(holder.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const among: (Element | null)[] = items;
    pick(items, among.indexOf(document.activeElement))?.focus();
  };
  const onMenuKey = (event: KeyboardEvent) => {
    const moves: Record<string, (items: HTMLElement[], at: number) => HTMLElement | undefined> = {
      ArrowDown: (items, at) => items[(at + 1) % items.length],
      ArrowUp: (items, at) => items[(at - 1 + items.length) % items.length],
      Home: (items) => items[0],
      End: (items) => items.at(-1),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    focusEntry(move);
  };
  // At once, not a frame later: a second key may come before that, and it is meant for the menu.
  const openAt = (pick: (items: HTMLElement[]) => HTMLElement | undefined) => {
    if (!open) flushSync(onToggle);
    focusEntry(pick);
  };
  const onButtonKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    openAt((items) => (event.key === "ArrowUp" ? items.at(-1) : items[0]));
  };
  const onButtonClick = (event: MouseEvent) => {
    const byKeyboard = event.detail === 0;
    if (byKeyboard && !open) openAt((items) => items[0]);
    else onToggle();
  };
  return (
    <div ref={holder} className="relative">
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={phase === "closed" ? undefined : id}
        aria-label={typeof props.trigger === "string" ? undefined : label}
        onClick={onButtonClick}
        onKeyDown={onButtonKey}
        className={props.triggerClass}
      >
        {props.trigger}
        {typeof props.trigger === "string" && (
          <ChevronDown aria-hidden="true" className="-mr-1 ml-1 size-3.5" />
        )}
      </button>
      {phase !== "closed" && (
        <div
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          inert={phase === "closing"}
          data-state={phase}
          onKeyDown={onMenuKey}
          className={clsx(
            "z-dropdown absolute top-full mt-1.5 w-48 rounded-card border border-line bg-raised p-1 shadow-float",
            align === "right" ? "right-0" : "left-0",
            phase === "opening" && "animate-[dropdown-open_200ms_ease-out]",
            phase === "closing" && "animate-[dropdown-close_200ms_ease-in_forwards]",
          )}
        >
          {shown(entries).map((entry) => (
            <DropdownEntry key={entry.label} entry={entry} onChosen={onClose} onAction={onAction} />
          ))}
        </div>
      )}
    </div>
  );
}

const entryClass =
  "flex w-full items-center rounded-control px-2.5 py-1.5 text-left text-sm hover:bg-hover focus-visible:bg-hover focus-visible:-outline-offset-2 aria-[current=page]:font-medium aria-[current=page]:text-accent-ink pointer-coarse:py-2.5";

function DropdownEntry(props: {
  entry: Entry;
  onChosen: () => void;
  onAction?: (action: NavAction["action"]) => void;
}) {
  const { entry, onChosen, onAction } = props;
  if ("to" in entry) {
    return (
      <NavLink role="menuitem" end to={entry.to} onClick={onChosen} className={entryClass}>
        {entry.label}
      </NavLink>
    );
  }
  const choose = () => {
    onChosen();
    onAction?.(entry.action);
  };
  return (
    <button type="button" role="menuitem" onClick={choose} className={entryClass}>
      {entry.label}
    </button>
  );
}

const ANIMATION_MS = 200;

type Phase = "closed" | "opening" | "open" | "closing";

/** Where an opening or closing thing is: it animates for 200 ms, then it is settled. */
function usePhase(open: boolean): Phase {
  const [settled, setSettled] = useState(open);
  useEffect(() => {
    if (settled === open) return;
    const timer = setTimeout(() => setSettled(open), ANIMATION_MS);
    return () => clearTimeout(timer);
  }, [open, settled]);
  if (open) return settled ? "open" : "opening";
  return settled ? "closing" : "closed";
}
