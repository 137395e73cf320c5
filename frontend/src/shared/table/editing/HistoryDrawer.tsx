import { clsx } from "clsx";
import { type ReactNode, useState } from "react";
import { formatAgo } from "@/shared/lib/format";
import { HISTORY_LIMIT } from "@/shared/outbox/history";
import { Badge, Kbd, type Tone } from "@/shared/ui/Badge";
import { Button, PlainButton } from "@/shared/ui/Button";
import { Drawer } from "@/shared/ui/Dialog";
import { ChoiceField } from "@/shared/ui/Field";
import { EmptyState, ProgressBar } from "@/shared/ui/states";
import { Tabs } from "@/shared/ui/Tabs";
import type { TableEditor } from "./editor";
import { chooseEnterMove, chosenEnterMove, ENTER_MOVES } from "./enterMove";
import type { GridStep } from "./model";
import { progressOf, type SyncOperation } from "./syncOperations";

type Editor = TableEditor<object>;

/** The steps that can be undone, the requests sent, the refusals, and the keys. */
export function HistoryDrawer({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const wrong = editor.cells.where(({ state }) => state === "error" || state === "conflict");
  const failed = editor.log.some(({ state }) => state === "failed");
  const [tab, setTab] = useState(wrong.length ? "errors" : failed ? "log" : "history");
  return (
    <Drawer title="History and errors" onClose={onClose}>
      <Tabs
        label="History and errors"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: "history", label: "History", panel: <Steps editor={editor} /> },
          { value: "log", label: "Sync log", panel: <SyncLog editor={editor} /> },
          {
            value: "errors",
            label: wrong.length ? `Errors (${wrong.length})` : "Errors",
            panel: <Errors editor={editor} onClose={onClose} />,
          },
          { value: "keys", label: "Keys", panel: <Keys /> },
        ]}
      />
    </Drawer>
  );
}

/** Newest first: undone steps, the present state, done steps. A click returns to that state. */
function Steps({ editor }: { editor: Editor }) {
  const { done, undone } = editor.history;
  if (done.length + undone.length === 0) {
    return (
      <EmptyState title="Nothing was changed yet">
        What you edit, paste, delete and add here is listed, and can be undone: the last{" "}
        {HISTORY_LIMIT} steps.
      </EmptyState>
    );
  }
  const entry = (one: GridStep, isUndone: boolean) => (
    <li key={one.id}>
      <PlainButton
        className={clsx(
          "flex w-full flex-col items-start gap-1 rounded-control px-2 py-2 text-left hover:bg-hover",
          isUndone && "text-muted",
        )}
        onClick={() => void editor.goTo(one.id)}
      >
        <span className="flex w-full items-center gap-2 text-xs">
          <Badge tone={isUndone ? "neutral" : "info"}>{one.type}</Badge>
          {isUndone && "undone"}
          <span className="ml-auto text-muted">{ago(one.at)}</span>
        </span>
        <span className="break-words text-sm">{one.label}</span>
      </PlainButton>
    </li>
  );
  return (
    <>
      <p className="mb-2 text-muted text-sm">
        A click goes back, or forward, to right after a step.
      </p>
      <ol aria-label="Steps, the newest first" className="flex flex-col">
        {undone.map((one) => entry(one, true))}
        {undone.length > 0 && (
          <li className="my-1 flex items-center gap-2 text-accent-ink text-xs before:h-px before:flex-1 before:bg-accent after:h-px after:flex-1 after:bg-accent">
            now
          </li>
        )}
        {[...done].reverse().map((one) => entry(one, false))}
        <li>
          <PlainButton
            className="w-full rounded-control px-2 py-2 text-left text-muted text-sm hover:bg-hover"
            onClick={() => void editor.goTo(0)}
          >
            Before the first step
          </PlainButton>
        </li>
      </ol>
    </>
  );
}

const tones: Record<SyncOperation["state"], Tone> = {
  running: "info",
  waiting: "warning",
  done: "success",
  failed: "danger",
};
const states: Record<SyncOperation["state"], string> = {
  running: "on its way",
  waiting: "waits for the connection",
  done: "done",
  failed: "rows refused",
};

function SyncLog({ editor }: { editor: Editor }) {
  if (editor.log.length === 0) {
    return <EmptyState title="Nothing was sent yet">Saved changes are listed here.</EmptyState>;
  }
  return (
    <ol aria-label="Sync operations, the newest first" className="flex flex-col gap-3">
      {[...editor.log].reverse().map((one) => (
        <li key={one.id} className="flex flex-col gap-1 border-line border-b pb-3">
          <span className="flex items-center gap-2 text-xs">
            <Badge tone={tones[one.state]}>{one.kind}</Badge>
            {states[one.state]}
            <span className="ml-auto text-muted">{ago(one.at)}</span>
          </span>
          <span className="break-words text-sm">{one.label}</span>
          {(one.state === "running" || one.state === "waiting") && (
            <ProgressBar label={one.label} done={progressOf(one)} total={100} />
          )}
          {one.failed.length > 0 && (
            <>
              <ul className="mt-1 flex max-h-60 flex-col gap-1 overflow-y-auto text-sm">
                {one.failed.map((row) => (
                  <li key={row.row}>
                    <span className="font-medium">{row.name}</span>{" "}
                    <span className="text-danger">{row.reason}</span>
                  </li>
                ))}
              </ul>
              {one.failed.some(({ cells }) => cells.length > 0) && (
                <Button size="sm" className="self-start" onClick={() => editor.retry(one.id)}>
                  Try again
                </Button>
              )}
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

function Errors({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const wrong = editor.cells.where(({ state }) => state === "error" || state === "conflict");
  if (wrong.length === 0) {
    return <EmptyState title="No errors">Every cell is as you wrote it.</EmptyState>;
  }
  return (
    <ul aria-label="Cells that are not saved" className="flex flex-col gap-3">
      {wrong.map(({ row, column, mark }) => (
        <li key={`${row} ${column}`} className="flex flex-col gap-1 border-line border-b pb-3">
          <span className="font-medium text-sm">
            {editor.columnOf(column)?.header ?? column} of {editor.nameOf(row)}
          </span>
          <span className="text-sm">{wordsOf(mark)}</span>
          <span className="flex gap-2">
            {mark.state === "conflict" ? (
              <Button size="sm" onClick={() => editor.open({ kind: "conflict", row, column })}>
                Decide
              </Button>
            ) : (
              <Button
                size="sm"
                onClick={() => {
                  if (editor.goToCell(row, column)) onClose();
                  else editor.say("This row is not in the view.");
                }}
              >
                Go to it
              </Button>
            )}
            <Button size="sm" variant="ghost" onClick={() => editor.letGo(row, column)}>
              Leave as stored
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
}

function wordsOf(mark: { state: string; mine?: string; text?: string; message?: string }) {
  if (mark.state === "conflict") return `Changed elsewhere. You wrote ${mark.mine || "nothing"}.`;
  return (
    <>
      <q>{mark.text}</q>: <span className="text-danger">{mark.message}</span>
    </>
  );
}

const keys: readonly (readonly [ReactNode, string])[] = [
  [<Kbd key="k">F2</Kbd>, "edit; typing replaces"],
  [<Kbd key="k">Enter</Kbd>, "take it (with Shift the other way); Tab goes right"],
  [<Kbd key="k">Ctrl+Enter</Kbd>, "into every cell of the range"],
  [<Kbd key="k">Shift+arrows</Kbd>, "mark a range; so do Shift+click and dragging"],
  [<Kbd key="k">Ctrl+C</Kbd>, "copy, Ctrl+X cut, Ctrl+V paste: as in a spreadsheet"],
  [<Kbd key="k">Ctrl+D</Kbd>, "fill down"],
  [<Kbd key="k">Delete</Kbd>, "clear"],
  [<Kbd key="k">Ctrl+Z</Kbd>, "undo, Ctrl+Shift+Z or Ctrl+Y redo"],
  [<Kbd key="k">Ctrl+B</Kbd>, "bulk edit"],
  [<Kbd key="k">F6</Kbd>, "next error, F8 next changed cell; with Shift the one before"],
  [<Kbd key="k">=*1.1</Kbd>, "arithmetic in number cells: =+5, =-10%, =/2, =round 0.05"],
];

function Keys() {
  const [move, setMove] = useState(chosenEnterMove);
  const words = { down: "goes down", right: "goes right", stay: "stays" };
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 text-sm">
        {keys.map(([key, what]) => (
          <div key={what} className="col-span-2 grid grid-cols-subgrid">
            <dt>{key}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <ChoiceField
        label="Enter, after editing"
        value={move}
        options={ENTER_MOVES.map((one) => ({ value: one, label: words[one] }))}
        onChange={(value) => {
          const chosen = ENTER_MOVES.find((one) => one === value) ?? "down";
          chooseEnterMove(chosen);
          setMove(chosen);
        }}
      />
    </div>
  );
}

const ago = (at: number): string => formatAgo(new Date(at).toISOString(), Date.now());
