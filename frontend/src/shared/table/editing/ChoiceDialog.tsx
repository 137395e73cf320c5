import { useState } from "react";
import { formatCount } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { InputField } from "@/shared/ui/Field";
import { SimpleTable } from "@/shared/ui/SimpleTable";
import type { Opened, TableEditor } from "./editor";
import { carryOut } from "./gridActs";
import type { BadCell, CellChange } from "./model";
import { meaningOf } from "./plan";

/** Cells listed for correction; the others are only counted. */
const SHOWN = 200;

type Mended = { change: CellChange | null; reason: string | null };

/** Some cells cannot be changed: correct them, apply the valid ones, or cancel. */
export function ChoiceDialog(props: {
  editor: TableEditor<object>;
  choice: Extract<Opened, { kind: "choice" }>;
  onClose: () => void;
}) {
  const { editor, choice, onClose } = props;
  const { verb, good, bad } = choice;
  const [texts, setTexts] = useState<ReadonlyMap<number, string>>(new Map());
  const mended = bad.map((cell, index): Mended => {
    const text = texts.get(index);
    return text === undefined ? { change: null, reason: cell.reason } : mend(editor, cell, text);
  });
  const changes = [...good, ...mended.flatMap(({ change }) => change ?? [])];
  const left = mended.filter(({ reason }) => reason !== null).length;
  const total = good.length + bad.length;

  const apply = () => {
    onClose();
    void carryOut(editor, { good: changes, bad: [], unchanged: 0 }, verb);
  };
  return (
    <Dialog
      locked
      size="lg"
      title={`${verb}: ${count(bad.length)} of ${formatCount(total)} cannot be changed`}
      description="Nothing is changed yet. Correct the cells here, apply only the valid ones, or cancel."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabledReason={changes.length === 0 && "None of it can be changed"}
            once
            onClick={apply}
          >
            {left === 0
              ? `Apply all ${formatCount(changes.length)}`
              : `Apply the ${formatCount(changes.length)} valid ones`}
          </Button>
        </>
      }
    >
      <SimpleTable
        caption="Cells that cannot be changed"
        rows={bad.slice(0, SHOWN).map((cell, index) => ({ cell, index }))}
        getKey={({ index }) => index}
        columns={[
          {
            header: "Row",
            grow: true,
            cell: ({ cell }) => (cell.row === null ? "–" : editor.nameOf(cell.row)),
          },
          {
            header: "Column",
            cell: ({ cell }) => (cell.column && editor.columnOf(cell.column)?.header) || "–",
          },
          {
            header: "Value",
            cell: ({ cell, index }) =>
              isMendable(editor, cell) ? (
                <InputField
                  label={`Value for ${editor.nameOf(cell.row ?? "")}`}
                  hideLabel
                  className="w-40"
                  error={mended[index]?.reason}
                  value={texts.get(index) ?? cell.text}
                  onChange={(text) => setTexts((now) => new Map(now).set(index, text))}
                />
              ) : (
                <>
                  <span className="break-all">{cell.text || "empty"}</span>
                  <span className="block text-danger text-xs">{cell.reason}</span>
                </>
              ),
          },
        ]}
      />
      {bad.length > SHOWN && (
        <p className="mt-2 text-muted text-sm">
          And {formatCount(bad.length - SHOWN)} more that cannot be changed.
        </p>
      )}
    </Dialog>
  );
}

const count = (cells: number) => (cells === 1 ? "1 cell" : `${formatCount(cells)} cells`);

const isMendable = (editor: TableEditor<object>, { row, column }: BadCell): boolean =>
  row !== null && column !== null && editor.columnOf(column)?.edit !== undefined;

function mend(
  editor: TableEditor<object>,
  { row: id, column: name }: BadCell,
  text: string,
): Mended {
  const column = name === null ? undefined : editor.columnOf(name);
  const row = id === null ? undefined : editor.rowOf(id);
  if (id === null || !row || !column?.edit) return { change: null, reason: "It is not there." };
  const shown = editor.shown(id, row);
  const meaning = meaningOf(column, shown, text);
  if ("reason" in meaning) return { change: null, reason: meaning.reason };
  const before = column.edit.value(shown);
  const change = { row: id, column: column.id, before, after: meaning.text };
  return { change: meaning.text === before ? null : change, reason: null };
}
