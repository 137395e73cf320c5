import { WifiOff } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { formatCount } from "@/shared/lib/format";
import { useStable } from "@/shared/lib/useStable";
import { Badge } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { TableEditor } from "./editor";
import { progressOf } from "./syncOperations";

const HistoryDrawer = lazyPart(() => import("./HistoryDrawer").then((m) => m.HistoryDrawer));
const BulkEditDialog = lazyPart(() => import("./BulkEditDialog").then((m) => m.BulkEditDialog));
const ChoiceDialog = lazyPart(() => import("./ChoiceDialog").then((m) => m.ChoiceDialog));
const ConflictDialog = lazyPart(() => import("./ConflictDialog").then((m) => m.ConflictDialog));

/** The progress of saving, the keys of editing, and the dialogs that it opens. */
export function Tools<Row extends object>({ editor }: { editor: TableEditor<Row> }) {
  // A component of its own, so that an edit does not re-render the search box and the page's
  // buttons.
  useSyncExternalStore(editor.subscribe, () => editor.version);
  const { opened } = editor;
  const close = () => editor.open(null);
  useEditingKeys(editor);

  return (
    <>
      <SavingState editor={editor} />
      <span aria-live="polite" className="sr-only">
        {editor.said}
      </span>
      {opened?.kind === "history" && <HistoryDrawer editor={editor as never} onClose={close} />}
      {opened?.kind === "bulk" && <BulkEditDialog editor={editor as never} onClose={close} />}
      {opened?.kind === "choice" && (
        <ChoiceDialog editor={editor as never} choice={opened} onClose={close} />
      )}
      {opened?.kind === "conflict" && (
        <ConflictDialog editor={editor as never} cell={opened} onClose={close} />
      )}
    </>
  );
}

/** Unsaved cells: being sent, waiting for a connection, or refused. */
function SavingState<Row extends object>({ editor }: { editor: TableEditor<Row> }) {
  const { log, cells } = editor;
  const running = log.filter(({ state }) => state === "running" || state === "waiting");
  const rows = running.reduce((sum, one) => sum + one.rows, 0);
  if (running.some(({ state }) => state === "waiting")) {
    return (
      <Badge tone="warning" icon={<WifiOff aria-hidden="true" className="size-3" />}>
        {rows === 1 ? "1 row waits" : `${formatCount(rows)} rows wait`} for the connection
      </Badge>
    );
  }
  if (rows > 1) {
    const part = running.reduce((sum, one) => sum + progressOf(one) * one.rows, 0) / rows;
    return (
      <Badge tone="info">
        Saving {formatCount(rows)} rows: {Math.floor(part)} %
      </Badge>
    );
  }
  const wrong = cells.where(({ state }) => state === "error" || state === "conflict").length;
  const refused = log.reduce((sum, one) => sum + one.failed.length, 0);
  if (wrong + refused === 0) return null;
  const words = wrong > 0 ? numbered(wrong, "cell") : numbered(refused, "row");
  return (
    <Button
      size="sm"
      variant="ghost"
      className="text-danger"
      title={wrong > 0 ? "F6 goes to the next one" : "The sync log says why"}
      onClick={() => editor.open({ kind: "history" })}
    >
      {words} not saved
    </Button>
  );
}

const numbered = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;

/**
 * Handles Ctrl+Z and the other keys wherever the focus is, unless a text field has it or a dialog
 * is open.
 */
function useEditingKeys<Row extends object>(editor: TableEditor<Row>): void {
  const onKeyDown = useStable((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
    const target = event.target as Element;
    if (target.closest("textarea, select, [contenteditable], [role=dialog]")) return;
    if (target.closest("input") && !target.closest("input[type=checkbox]")) return;
    const key = event.key.toLowerCase();
    const acts: Record<string, () => unknown> = {
      z: () => (event.shiftKey ? editor.redo() : editor.undo()),
      y: () => editor.redo(),
      b: () => editor.open({ kind: "bulk" }),
    };
    const act = acts[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [onKeyDown]);
}
