import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { wholeOf } from "@/shared/lib/amounts";
import { formatCount, signed } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { useStable } from "@/shared/lib/useStable";
import { type CountedRow, whyNotCount } from "./stocktake";

export type CountFieldProps = {
  row: CountedRow;
  onCount: (counted: number | null) => Promise<unknown>;
  onWrong: (row: number, isWrong: boolean) => void;
};

/** The field of one row that is counted: it is sent when it is left, and Enter goes to the next. */
export function useCountField({ row, onCount, onWrong }: CountFieldProps) {
  const [text, setText] = useState(row.counted === null ? "" : formatCount(row.counted));
  const [refusal, setRefusal] = useState<string | null>(null);
  /** What the field holds and what was sent last: Enter leaves the field, which sends nothing twice. */
  const typed = useRef(text);
  const said = useRef(row.counted);
  /** What the server holds. */
  const held = useRef(row.counted);
  const problem = whyNotCount(text) ?? refusal;
  const isWrong = problem !== null;
  useEffect(() => onWrong(row.id, isWrong), [onWrong, row.id, isWrong]);

  const write = (value: string) => {
    typed.current = value;
    setText(value);
    setRefusal(null);
  };
  const save = async () => {
    const value = typed.current;
    if (whyNotCount(value)) return;
    const counted = value.trim() === "" ? null : wholeOf(value);
    if (counted === said.current) return;
    said.current = counted;
    try {
      await onCount(counted);
      held.current = counted;
    } catch (error) {
      if (said.current !== counted) return;
      said.current = held.current;
      setRefusal(problemText(error));
    }
  };
  const saveAtEnd = useStable(() => void save());
  useEffect(() => saveAtEnd, [saveAtEnd]); // closed by Escape, the field is never left
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (typed.current.trim() === "") write(formatCount(row.quantity));
    void save();
    if (whyNotCount(typed.current)) return;
    const all = [...document.querySelectorAll<HTMLInputElement>("input[data-count]")];
    all[all.indexOf(event.currentTarget) + 1]?.focus();
  };
  return {
    problem,
    /** Counted beside known; null: not counted yet. */
    difference: row.counted === null ? null : row.counted - (row.seen ?? row.quantity),
    field: {
      numeric: true,
      "data-count": true,
      "aria-label": `Counted of ${row.part_name || row.item_number} ${row.color_name}`,
      "aria-invalid": isWrong || undefined,
      title: "Enter on an empty field: as known",
      value: text,
      onChange: (event: ChangeEvent<HTMLInputElement>) => write(event.target.value),
      onBlur: () => void save(),
      onKeyDown,
    },
  } as const;
}

export function differenceText(difference: number | null): string {
  if (difference === null) return "";
  if (difference === 0) return "✓";
  return signed(difference);
}
