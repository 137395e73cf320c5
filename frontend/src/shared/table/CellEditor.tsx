import { clsx } from "clsx";
import { type KeyboardEvent, useRef, useState } from "react";
import { controlClass } from "@/shared/ui/Field";
import type { CellEdit } from "./column";

/** Where the focus goes after editing: on to the next cell, back to this one, or as it went. */
export type Move = "down" | "right" | "stay" | "away";

/** The control inside a cell. Enter and Tab take the text and move on, Escape leaves it. */
export function CellEditor<Row>(props: {
  label: string;
  edit: CellEdit<Row>;
  text: string;
  align?: "start" | "end";
  onDone: (text: string | null, move: Move) => void;
}) {
  const { label, edit, onDone } = props;
  const [text, setText] = useState(props.text);
  const done = useRef(false);
  const finish = (result: string | null, move: Move) => {
    if (done.current) return;
    done.current = true;
    onDone(result, move);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const ends: Record<string, [string | null, Move]> = {
      Enter: [text, "down"],
      Tab: [text, "right"],
      Escape: [null, "stay"],
    };
    const end = ends[event.key];
    if (!end) return;
    event.preventDefault();
    event.stopPropagation();
    finish(...end);
  };
  const shared = {
    "aria-label": label,
    "data-cell-editor": "",
    value: text,
    onKeyDown,
    onBlur: () => finish(text, "away"),
    className: clsx(controlClass, "h-9", props.align === "end" && "text-right tabular-nums"),
  };

  if (edit.kind === "select") {
    return (
      // biome-ignore lint/a11y/noAutofocus: editing begins where the person is
      <select {...shared} autoFocus onChange={({ target }) => setText(target.value)}>
        {edit.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...shared}
      // biome-ignore lint/a11y/noAutofocus: editing begins where the person is
      autoFocus
      autoComplete="off"
      inputMode={edit.kind === "number" ? "decimal" : undefined}
      onFocus={({ target }) => text.length > 1 && target.select()}
      onChange={({ target }) => setText(target.value)}
    />
  );
}
