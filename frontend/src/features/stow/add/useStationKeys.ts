import { type RefObject, useEffect, useEffectEvent } from "react";
import { type Press, useWaitingKeys } from "@/shared/scanner/presses";
import { type Command, commandOf, type Place } from "./keys";
import { useLetters } from "./letters";

const TEXT_FIELDS =
  "textarea, select, [contenteditable=true], input:not([type=radio], [type=checkbox], [type=button], [type=file])";
const CONTROLS = "button, a, input, summary, [role=option], [role=menuitem], [role=switch]";

/** Commands that repeat while their key is held; all others run once for each press. */
const REPEATED: ReadonlySet<Command["do"]> = new Set([
  "candidate",
  "moveCandidate",
  "moveColor",
  "digit",
  "eraseDigit",
  "change",
  "undo",
  "redo",
]);

/** Listens to the whole page and maps keys to commands; an open dialog handles all keys itself. */
export function useStationKeys(options: {
  search: RefObject<HTMLInputElement | null>;
  taken: boolean;
  laterCandidate: boolean;
  unchosen: boolean;
  /** A dialog is open over the station, or is about to open. */
  covered: boolean;
  run: (command: Command) => void;
  /** Called for every key at the station, for the stopwatch. */
  onKey: () => void;
}): void {
  const { search, taken, laterCandidate, unchosen, covered, run, onKey: count } = options;
  const letters = useLetters();

  const onKey = useEffectEvent((event: Press) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (covered || document.querySelector("[role=dialog], [role=menu]")) return;
    if (!event.repeat && !["Shift", "Control", "Alt", "Meta"].includes(event.key)) count();
    // Once an item is taken, keys are commands, even while the focus is still moving.
    const field = taken ? null : search.current;
    const place = taken && event.target === search.current ? "card" : placeOf(event.target, field);
    const command = commandOf(
      {
        key: event.key,
        code: event.code,
        ctrl: event.ctrlKey || event.metaKey,
        alt: event.altKey,
        shift: event.shiftKey,
      },
      { place, taken, laterCandidate, unchosen, caretAtEnd: caretAtEnd(search.current) },
      letters,
    );
    if (command) {
      event.preventDefault();
      if (!event.repeat || REPEATED.has(command.do)) run(command);
    } else if (place === "card" && !taken && isTyping(event)) {
      // Typed without focus: meant for the search. The browser delivers the key there.
      search.current?.focus();
    }
  });

  useWaitingKeys((press) => onKey(press));
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function placeOf(target: EventTarget | null, search: HTMLInputElement | null): Place {
  if (!(target instanceof Element)) return "card";
  // The colour's field, while empty, passes on the same keys as the search.
  if (target.matches("[data-keys=commands]")) return "searchEmpty";
  if (target === search) return search?.value.trim() === "" ? "searchEmpty" : "searchText";
  if (target.closest(TEXT_FIELDS)) return "field";
  return target.closest(CONTROLS) ? "control" : "card";
}

function caretAtEnd(search: HTMLInputElement | null): boolean {
  if (!search) return false;
  const { selectionStart, selectionEnd, value } = search;
  return selectionStart === value.length && selectionEnd === value.length;
}

const isTyping = (event: Press) =>
  event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
