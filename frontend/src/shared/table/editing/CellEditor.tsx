import { clsx } from "clsx";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { DEBOUNCE_MS, useDebounced } from "@/shared/lib/useDebounced";
import { type Press, useWaitingKeys } from "@/shared/scanner/presses";
import { controlClass } from "@/shared/ui/Field";
import type { CellEdit } from "../column";
import type { Move } from "../keyboard";
import { isFormula, worked } from "./arithmetic";
import { CellHint } from "./CellHint";
import { enterMove } from "./enterMove";

/**
 * The control inside a cell. Enter (Shift: upwards) and Tab (Shift: left) save the text and move
 * on, Ctrl+Enter saves it into the whole range, Escape discards it. Errors are shown 300 ms after
 * the last key.
 */
export function CellEditor<Row>(props: {
  label: string;
  edit: CellEdit<Row>;
  text: string;
  /** Editing began by typing: the text is the typed letter, not the cell's text. */
  typed: boolean;
  /** The number that formulas start from. */
  value: string;
  align?: "start" | "end";
  onDone: (text: string | null, move: Move) => void;
}) {
  const { label, edit, onDone, typed } = props;
  const [text, setText] = useState(() => (typed ? beginning(edit, props) : props.text));
  const settled = useDebounced(text, DEBOUNCE_MS);
  const control = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const lines = useRef<HTMLTextAreaElement>(null);
  const done = useRef(false);
  const hintId = useId();
  const told =
    settled === text ? toldOf(edit, text, props.value, !typed && text === props.text) : null;

  const isTall = edit.kind === "text" && edit.lines === true;
  /** The caret after a line break; the next render would move it to the end. */
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current === null) return;
    lines.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });

  const finish = (result: string | null, move: Move) => {
    if (done.current) return;
    done.current = true;
    onDone(result, move);
  };
  // The editor was removed while the person was typing (the session ended): the text is kept.
  const left = useRef<() => void>(() => undefined);
  left.current = () => {
    if (typed || text !== props.text) finish(text, "stay");
  };
  useEffect(() => () => left.current(), []);

  const onKeyDown = (event: Press | KeyboardEvent) => {
    const command = event.ctrlKey || event.metaKey;
    const enter = command ? "range" : enterMove(event.shiftKey);
    const ends: Record<string, [string | null, Move]> = {
      Enter: [text, enter],
      Tab: [text, event.shiftKey ? "left" : "right"],
      Escape: [null, "stay"],
    };
    const { target } = event;
    if (event.key === "Enter" && event.altKey && target instanceof HTMLTextAreaElement) {
      event.preventDefault();
      const { selectionStart: from, selectionEnd: to } = target;
      caret.current = from + 1;
      setText(`${text.slice(0, from)}\n${text.slice(to)}`);
      return;
    }
    const end = ends[event.key];
    if (!end) return;
    event.preventDefault();
    event.stopPropagation();
    finish(...end);
  };
  useWaitingKeys(onKeyDown, isTall ? lines : control);
  const shared = {
    ref: control,
    "aria-label": label,
    "aria-invalid": told?.wrong || undefined,
    "aria-describedby": told ? hintId : undefined,
    "data-cell-editor": "",
    value: text,
    onKeyDown,
    onChange: ({ target }: { target: { value: string } }) => setText(target.value),
    onBlur: () => finish(text, "away"),
    className: clsx(controlClass, "h-9", props.align === "end" && "text-right tabular-nums"),
  };

  return (
    <>
      {edit.kind === "select" ? (
        // biome-ignore lint/a11y/noAutofocus: editing begins where the person is
        <select {...shared} autoFocus>
          {edit.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : isTall ? (
        <textarea
          {...shared}
          ref={lines}
          // biome-ignore lint/a11y/noAutofocus: editing begins where the person is
          autoFocus
          title="Alt and Enter begin another line"
          className={clsx(controlClass, "h-11 resize-none py-1 text-xs leading-4")}
          onFocus={({ target }) => !typed && target.select()}
        />
      ) : (
        <input
          {...shared}
          // biome-ignore lint/a11y/noAutofocus: editing begins where the person is
          autoFocus
          autoComplete="off"
          inputMode={edit.kind === "number" ? "decimal" : undefined}
          onFocus={({ target }) => !typed && target.select()}
        />
      )}
      {told && (
        <CellHint
          id={hintId}
          of={() => lines.current ?? control.current}
          tone={told.wrong ? "danger" : "plain"}
          role={told.wrong ? "alert" : "status"}
        >
          {told.words}
        </CellHint>
      )}
    </>
  );
}

/**
 * The text at the start of editing by typing; in a list, the option that begins with the letter.
 */
function beginning<Row>(edit: CellEdit<Row>, { text, value }: { text: string; value: string }) {
  if (edit.kind !== "select") return text;
  const letter = text.toLowerCase();
  const option = edit.options.find((one) => one.label.toLowerCase().startsWith(letter));
  return option?.value ?? value;
}

/** The error of a text, or the result of a formula; null where there is neither. */
function toldOf<Row>(edit: CellEdit<Row>, text: string, value: string, untouched: boolean) {
  if (untouched) return null;
  let meant = text;
  const formula = edit.kind === "number" && isFormula(text);
  if (formula) {
    const result = worked(text, value, edit.places);
    if ("reason" in result) return { wrong: true, words: result.reason };
    meant = result.text;
  }
  const refusal = edit.check?.(meant);
  if (refusal) return { wrong: true, words: formula ? `${meant}: ${refusal}` : refusal };
  return formula ? { wrong: false, words: `= ${meant}` } : null;
}
