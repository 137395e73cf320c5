import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import type { RowId } from "../column";
import type { TableEditor } from "./editor";

/** A cell that was changed elsewhere meanwhile: mine or theirs. */
export function ConflictDialog(props: {
  editor: TableEditor<object>;
  cell: { row: RowId; column: string };
  onClose: () => void;
}) {
  const { editor, cell, onClose } = props;
  const mark = editor.cells.marksOf(cell.row)?.[cell.column];
  const column = editor.columnOf(cell.column);
  const row = editor.rowOf(cell.row);
  if (mark?.state !== "conflict" || !column?.edit || !row) return null;
  const options = column.edit.kind === "select" ? column.edit.options : [];
  const words = (text: string) =>
    options.find(({ value }) => value === text)?.label ?? (text || "empty");
  const choose = (act: (row: RowId, column: string) => void) => {
    onClose();
    act(cell.row, cell.column);
    editor.goToCell(cell.row, cell.column);
  };
  return (
    <Dialog
      size="sm"
      title="Changed elsewhere"
      description={`${column.header} of ${editor.nameOf(cell.row)} was changed while you edited it.`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => choose(editor.letGo)}>Keep theirs</Button>
          <Button variant="primary" autoFocus onClick={() => choose(editor.keepMine)}>
            Keep mine
          </Button>
        </>
      }
    >
      <dl className="grid grid-cols-2 gap-4">
        <div>
          <dt className="text-muted text-xs">Mine</dt>
          <dd className="font-medium text-lg tabular-nums">{words(mark.mine)}</dd>
        </div>
        <div>
          <dt className="text-muted text-xs">Theirs</dt>
          <dd className="font-medium text-lg tabular-nums">{words(column.edit.value(row))}</dd>
        </div>
      </dl>
    </Dialog>
  );
}
