import { Check, CircleAlert, LogIn, WifiOff } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { CellHint } from "./CellHint";
import type { CellMark as Mark } from "./model";
import { checkedProgress } from "./syncOperations";

/**
 * The state of a cell's save: a dot while pending, a bar while sending, a tick; a red sign with its
 * reason; an amber corner for a conflict; a sign while there is no connection.
 */
export function CellMark({ mark }: { mark: Mark }) {
  switch (mark.state) {
    case "pending":
      return (
        <span className="absolute top-1 right-1 size-1.5 rounded-full bg-accent">
          <span className="sr-only">Saving</span>
        </span>
      );
    case "saving":
      return <Progress of={mark.progress} />;
    case "saved":
      return (
        <>
          <Progress of={100} />
          <Check aria-hidden="true" className="absolute top-1 right-1 size-3 text-success" />
        </>
      );
    case "waiting": {
      const WaitSign = mark.waitsFor === "line" ? WifiOff : LogIn;
      return (
        <span
          title={
            mark.waitsFor === "line"
              ? "No connection: waits, and is sent when it is back"
              : "Your session has ended: it is sent when you have signed in again"
          }
        >
          <WaitSign aria-hidden="true" className="absolute top-1 right-1 size-3 text-warning" />
          <span className="sr-only">
            {mark.waitsFor === "line" ? "Waits for the connection" : "Waits until you sign in"}
          </span>
        </span>
      );
    }
    case "conflict":
      return (
        <Told tone="warning" words={`Changed elsewhere: you wrote ${mark.mine || "nothing"}.`}>
          <span
            data-conflict=""
            className="absolute top-0 right-0 size-0 cursor-pointer border-t-10 border-t-warning border-l-10 border-l-transparent"
          />
          <span className="text-muted">Press Enter, or click its corner, to decide.</span>
        </Told>
      );
    case "error":
      return (
        <Told tone="danger" words={mark.message}>
          <CircleAlert
            aria-hidden="true"
            className="absolute top-1 right-1 size-3.5 bg-danger-tint text-danger"
          />
          <span className="text-muted">
            Not saved. Enter corrects it, Esc restores the old value.
          </span>
        </Told>
      );
  }
}

/**
 * A sign in the corner of a cell. Its meaning is shown while the cell is hovered, touched or
 * focused.
 */
function Told(props: {
  tone: "danger" | "warning";
  words: string;
  children: [ReactNode, ReactNode];
}) {
  const { tone, words, children } = props;
  const [sign, more] = children;
  const inside = useRef<HTMLSpanElement>(null);
  const [cell, setCell] = useState<HTMLElement | null>(null);
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  useEffect(() => {
    const own = inside.current?.closest<HTMLElement>("[role=gridcell]");
    if (!own) return;
    const on = { point: () => setPointed(true), focus: () => setFocused(true) };
    const off = { point: () => setPointed(false), focus: () => setFocused(false) };
    setCell(own);
    setPointed(own.matches(":hover"));
    setFocused(own.contains(document.activeElement));
    own.addEventListener("pointerenter", on.point);
    own.addEventListener("pointerleave", off.point);
    own.addEventListener("focusin", on.focus);
    own.addEventListener("focusout", off.focus);
    return () => {
      own.removeEventListener("pointerenter", on.point);
      own.removeEventListener("pointerleave", off.point);
      own.removeEventListener("focusin", on.focus);
      own.removeEventListener("focusout", off.focus);
    };
  }, []);
  return (
    <span ref={inside}>
      {sign}
      <span className="sr-only">{words}</span>
      {(pointed || focused) && (
        <CellHint of={() => cell} tone={tone} role="tooltip">
          <span className="block">{words}</span>
          {more}
        </CellHint>
      )}
    </span>
  );
}

/** The progress of the row: 0 when sent, 100 when stored. */
function Progress({ of }: { of: number }) {
  const value = checkedProgress(of);
  return (
    <span
      role="progressbar"
      aria-label={value < 100 ? "Saving" : "Saved"}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      className="absolute inset-x-0 bottom-0 h-0.5 bg-accent-tint"
    >
      <span
        className="block h-full bg-accent transition-[width] duration-100"
        style={{ width: `${value}%` }}
      />
    </span>
  );
}
