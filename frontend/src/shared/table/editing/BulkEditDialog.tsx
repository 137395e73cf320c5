import { useEffect, useMemo, useState } from "react";
import { formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { useDebounced } from "@/shared/lib/useDebounced";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { SimpleTable } from "@/shared/ui/SimpleTable";
import { Loading, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import type { Column } from "../column";
import type { Desk } from "./desk";
import type { TableEditor } from "./editor";
import { actFor } from "./gridActs";
import { type Plan, plannedSet } from "./plan";

const PREVIEWED = 8;

type Editor = TableEditor<object>;

/** Rows of one request; the lists' maximum. */
const PAGE = 500;
/** The most rows that one bulk edit may change. */
const BULK_LIMIT = 20_000;

/** One column of many rows: a value or a formula, with a preview. */
export function BulkEditDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { rows, error, progress } = useChosenRows(editor);
  const columns = editor.desk.columns.filter(({ edit }) => edit);
  const [name, setName] = useState(() => editor.chosenColumn() ?? columns[0]?.id ?? "");
  const [text, setText] = useState<string | null>(null);
  const column = columns.find(({ id }) => id === name);
  const settled = useDebounced(text);
  const plan = useMemo(
    () => (column && rows && settled !== null ? planFor(editor, rows, column, settled) : null),
    [editor, rows, column, settled],
  );

  const apply = async () => {
    if (!plan) return;
    onClose();
    const act = actFor(editor, plan.good, "Set");
    const refused = await editor.change(plan.good, { ...act, type: "bulk-edit" });
    const failed = new Set(refused.map(({ row }) => row)).size;
    const done = plan.good.length - failed;
    if (failed === 0) {
      toast.success(`${rowsText(done)} changed`, {
        action: { label: "Undo", run: () => editor.undo() },
      });
    } else {
      toast.error(`${rowsText(failed)} not changed, ${formatCount(done)} changed`, {
        action: { label: "Show", run: () => editor.open({ kind: "history" }) },
      });
    }
  };
  return (
    <Dialog
      size="lg"
      title="Bulk edit"
      description={rows ? `${rowsText(rows.length)} chosen.` : undefined}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabledReason={whyNot(plan)}
            loading={settled !== text}
            onClick={() => void apply()}
          >
            {plan?.good.length ? `Change ${rowsText(plan.good.length)}` : "Change"}
          </Button>
        </>
      }
    >
      {error !== null && <Notice tone="danger">{problemText(error)}</Notice>}
      {!rows && error === null && <Loading label={progress} />}
      {rows?.length === 0 && (
        <Notice tone="info" title="No rows are chosen">
          Tick rows, or mark cells over several rows, and open this again.
        </Notice>
      )}
      {rows && rows.length >= BULK_LIMIT && (
        <Notice tone="warning">
          These are the first {formatCount(BULK_LIMIT)} rows: more cannot be changed at once.
        </Notice>
      )}
      {rows && rows.length > 0 && column && (
        <div className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <ChoiceField
              label="Column"
              value={name}
              options={columns.map(({ id, header }) => ({ value: id, label: header }))}
              onChange={(value) => {
                setName(value);
                setText(null);
              }}
            />
            <ValueField column={column} text={text} onText={setText} />
          </div>
          {plan && <Preview editor={editor} plan={plan} />}
        </div>
      )}
    </Dialog>
  );
}

function ValueField(props: {
  column: Column<object>;
  text: string | null;
  onText: (text: string) => void;
}) {
  const { column, text, onText } = props;
  const { edit } = column;
  if (edit?.kind === "select") {
    const options = [{ value: "", label: "Choose" }, ...edit.options];
    return <ChoiceField label="New value" value={text ?? ""} options={options} onChange={onText} />;
  }
  const numeric = edit?.kind === "number";
  return (
    <InputField
      label="New value"
      hint={numeric && "A number, or =*1.1, =+5, =-10%, =/2, =round 0.05 of each row's own."}
      numeric={numeric}
      value={text ?? ""}
      placeholder={numeric ? "0.12 or =*1.1" : "Empty"}
      onChange={onText}
    />
  );
}

function Preview({ editor, plan }: { editor: Editor; plan: Plan }) {
  const { good, bad, unchanged } = plan;
  const nameColumn = {
    header: "Row",
    grow: true,
    cell: ({ row }: { row: string | null }) => (row === null ? "–" : editor.nameOf(row)),
  };
  return (
    <>
      <p role="status" className="text-sm">
        {rowsText(good.length)} will change
        {unchanged > 0 && `, ${formatCount(unchanged)} stay as they are`}
        {bad.length > 0 && `, ${formatCount(bad.length)} cannot be changed and are left out`}.
      </p>
      {good.length > 0 && (
        <SimpleTable
          caption="What will change"
          rows={good.slice(0, PREVIEWED)}
          getKey={({ row }) => row}
          columns={[
            nameColumn,
            { header: "Now", align: "end", cell: ({ before }) => before || "empty" },
            {
              header: "Then",
              align: "end",
              cell: ({ after }) => <strong>{after || "empty"}</strong>,
            },
          ]}
        />
      )}
      {good.length > PREVIEWED && (
        <p className="text-muted text-xs">and {formatCount(good.length - PREVIEWED)} more</p>
      )}
      {bad.length > 0 && (
        <SimpleTable
          caption="What cannot be changed"
          rows={bad.slice(0, PREVIEWED)}
          getKey={({ row }, index) => row ?? index}
          columns={[
            nameColumn,
            {
              header: "Why not",
              cell: ({ reason }) => <span className="text-danger">{reason}</span>,
            },
          ]}
        />
      )}
    </>
  );
}

/** The selected rows, or those of the cell range if none are selected. */
function useChosenRows(editor: Editor) {
  const [rows, setRows] = useState<readonly object[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [progress, setProgress] = useState("Loading...");
  useEffect(() => {
    const leave = new AbortController();
    const { selection } = editor.desk;
    const chosen =
      selection.count > 0
        ? collectRows(
            editor.desk,
            (some, all) => setProgress(`${formatCount(some)} of ${formatCount(all)} rows loaded`),
            leave.signal,
          )
        : Promise.resolve(editor.rangeRows());
    chosen.then(
      (found) => {
        if (leave.signal.aborted) return;
        editor.know(found);
        setRows(found);
      },
      (problem) => !leave.signal.aborted && setError(problem),
    );
    return () => leave.abort();
  }, [editor]);
  return { rows, error, progress };
}

function planFor(
  editor: Editor,
  rows: readonly object[],
  column: Column<object>,
  text: string,
): Plan | null {
  if (text === "" && column.edit?.kind !== "text") return null;
  const { idOf } = editor.desk;
  const shown = rows.map((row) => editor.shown(idOf(row), row));
  return plannedSet(shown, column, text, idOf);
}

function whyNot(plan: Plan | null): string | null {
  if (!plan) return "Give a value first";
  return plan.good.length === 0 ? "No row would change" : null;
}

const rowsText = (rows: number) => (rows === 1 ? "1 row" : `${formatCount(rows)} rows`);

/** The selected rows, or all that match, fetched page by page. */
async function collectRows<Row extends object>(
  desk: Desk<Row>,
  onProgress: (rows: number, of: number) => void,
  signal: AbortSignal,
): Promise<Row[]> {
  const { selection, source } = desk;
  if (!selection.allMatching) return [...selection.rows];
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await source.fetch({ ...selection.params, page, page_size: PAGE }, signal);
    rows.push(...answer.data);
    onProgress(rows.length, selection.count);
    if (answer.data.length < PAGE || rows.length >= BULK_LIMIT) return rows;
  }
}
