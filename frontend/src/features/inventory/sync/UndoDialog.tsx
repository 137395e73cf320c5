import { useState } from "react";
import { conflictRows } from "@/shared/api/errors";
import { counted, formatCount, formatDateTime } from "@/shared/lib/format";
import { ActDialog } from "@/shared/ui/ActDialog";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import type { ChangedSince, InventorySync } from "./model";
import { type Choice, useUndoSync } from "./mutations";
import { isOfBatch } from "./rules";

/** The rows that were changed since, if a refusal names them. */
function changedSinceOf(error: Error | null): ChangedSince[] | null {
  const rows = conflictRows<ChangedSince>(error, "id", "quantity");
  return rows.length > 0 ? rows : null;
}

/** Puts the stock back as it was; asks row by row about what was changed since. */
export function UndoDialog({ sync, onClose }: { sync: InventorySync; onClose: () => void }) {
  const undo = useUndoSync(sync.id, { tellsFailure: (error: Error) => !changedSinceOf(error) });
  const changed = changedSinceOf(undo.error);
  const start = (decided: { otherwise?: Choice; rows?: Record<string, Choice> }) =>
    undo.mutate(decided, {
      onSuccess: onClose,
    });

  if (changed) {
    return (
      <ChangedRows
        rows={changed}
        isBatch={isOfBatch(sync)}
        busy={undo.isPending}
        onDecided={(otherwise, rows) => start({ otherwise, rows })}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title="Undo this import?"
      confirmLabel="Undo import"
      danger
      running={undo.isPending}
      onConfirm={() => start({})}
      onClose={onClose}
    >
      {isOfBatch(sync)
        ? `The items that came from ${sync.file_name} are deleted, and the batch with them if nothing else is in it. What you stowed since stays. `
        : `Quantities, prices and all other fields become what they were before ${sync.file_name} was applied. The history of each row keeps both. `}
      Bins that it created are deleted if they are empty.
    </ConfirmDialog>
  );
}

function ChangedRows(props: {
  rows: ChangedSince[];
  isBatch: boolean;
  busy: boolean;
  onDecided: (otherwise: Choice, rows: Record<string, Choice>) => void;
  onClose: () => void;
}) {
  const { rows, isBatch, busy, onDecided, onClose } = props;
  const [otherwise, setOtherwise] = useState<Choice>("mine");
  const [decided, setDecided] = useState<Record<string, Choice>>({});
  const choices = { mine: "Keep mine", theirs: isBatch ? "Delete" : "Put back" };
  const choiceOf = (row: ChangedSince) => decided[row.id] ?? otherwise;

  const columns: readonly SimpleColumn<ChangedSince>[] = [
    {
      header: "Item",
      grow: true,
      cell: (row) => (
        <span className="flex min-w-40 flex-col">
          <span className="font-medium">{row.name || row.number}</span>
          <span className="text-muted text-xs">
            <span className="font-mono">{row.number}</span>
            {row.location_name && ` · ${row.location_name}`}
          </span>
        </span>
      ),
    },
    { header: "Quantity", align: "end", cell: (row) => formatCount(row.quantity) },
    {
      header: "Changed",
      cell: (row) => (
        <span className="whitespace-nowrap text-muted">{formatDateTime(row.updatedAt)}</span>
      ),
    },
    {
      header: "What to do",
      cell: (row) => (
        <SegmentedControl
          label={`What to do with ${row.name || row.number}`}
          value={choiceOf(row)}
          onChange={(choice) => setDecided({ ...decided, [row.id]: choice })}
          options={choices}
        />
      ),
    },
  ];
  return (
    <ActDialog
      onClose={onClose}
      title={`${counted(rows.length, "row was", "rows were")} changed since the import`}
      description={
        isBatch
          ? "Keep them, or delete them too. Items that were stowed stay either way."
          : "Keep your later changes, or undo those as well."
      }
      size="xl"
      act="Undo import"
      danger
      pending={busy}
      onAct={() => onDecided(otherwise, decided)}
    >
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <span className="text-sm">All of them:</span>
          <SegmentedControl
            label="What to do with all of them"
            value={otherwise}
            onChange={(choice) => {
              setOtherwise(choice);
              setDecided({});
            }}
            options={choices}
          />
        </div>
        <SimpleTable
          caption="Rows changed since the import"
          columns={columns}
          rows={rows}
          getKey={(row) => row.id}
        />
      </div>
    </ActDialog>
  );
}
