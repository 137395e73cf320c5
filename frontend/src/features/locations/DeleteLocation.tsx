import { useState } from "react";
import { ApiError } from "@/shared/api/errors";
import { counted, formatCount } from "@/shared/lib/format";
import { rowsWith } from "@/shared/lib/records";
import { ActDialog } from "@/shared/ui/ActDialog";
import { CheckField } from "@/shared/ui/Checkbox";
import { DeleteDialog, useDeletion } from "@/shared/ui/DeleteDialog";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { toast } from "@/shared/ui/toast";
import { useControl } from "@/shared/ui/useControl";
import { LocationPicker } from "./LocationPicker";
import type { Bin, ConflictItem, Location } from "./model";
import { useDeleteLocation } from "./mutations";
import { NO_LOCATION, OverLimit, useMoveAll } from "./overLimit";

const isNotEmpty = (error: Error): error is ApiError =>
  error instanceof ApiError && error.code === "LOCATION_NOT_EMPTY";

/**
 * Deletes a location after asking. If it is not empty, lists its contents and offers to move them.
 */
export function DeleteLocation(props: {
  location: Pick<Location, "id" | "name" | "item_count">;
  onClose: () => void;
  onDeleted?: () => void;
}) {
  const { location, onClose, onDeleted } = props;
  const remove = useDeleteLocation({ tellsFailure: (error: Error) => !isNotEmpty(error) });
  const [conflict, setConflict] = useState<ConflictItem[] | null>(null);

  const deletion = useDeletion(remove, {
    name: location.name,
    asked: location.id,
    onClose,
    onDeleted,
    onRefused: (error) => {
      if (isNotEmpty(error)) setConflict(rowsWith<ConflictItem>(error.data, "id", "quantity"));
      else onClose();
    },
  });

  if (conflict) {
    return (
      <NotEmptyDialog
        location={location}
        items={conflict}
        onClose={onClose}
        onMoved={deletion.run}
        deleting={deletion.pending}
      />
    );
  }
  return (
    <DeleteDialog deletion={deletion} kind="location">
      {location.item_count > 0
        ? `It holds ${counted(location.item_count, "piece")}: what they are is listed next, and where they can go. Nothing is deleted before that.`
        : "The location and its limits are deleted for good. Its history stays with its items."}
    </DeleteDialog>
  );
}

const conflictColumns: readonly SimpleColumn<ConflictItem>[] = [
  { header: "Id", cell: (item) => <span className="text-muted tabular-nums">{item.id}</span> },
  { header: "Name", grow: true, cell: (item) => item.name },
  { header: "Number", cell: (item) => <span className="font-mono text-xs">{item.number}</span> },
  { header: "Quantity", align: "end", cell: (item) => formatCount(item.quantity) },
];

/** The specification's delete-conflict dialog: the items still there, and where they can go. */
export function NotEmptyDialog(props: {
  location: Pick<Location, "id" | "name">;
  items: readonly ConflictItem[];
  onClose: () => void;
  onMoved: () => void;
  deleting?: boolean;
}) {
  const { location, items, onClose, onMoved, deleting = false } = props;
  const to = useControl<Bin | null>(null);
  const nowhere = useControl(false);
  const target = nowhere.value ? NO_LOCATION : to.value;
  const { move, refusal, reason, setReason, pending } = useMoveAll(location.id, target, () => {
    toast.info(`Everything in ${location.name} is now in ${target?.name ?? ""}`);
    onMoved();
  });
  const pieces = items.reduce((sum, item) => sum + item.quantity, 0);

  return (
    <ActDialog
      onClose={onClose}
      title={`${location.name} still holds ${counted(items.length, "item")}`}
      description={`${counted(pieces, "piece")}. Move them somewhere else, or to no bin; then it can be deleted.`}
      size="lg"
      act={refusal ? "Move anyway and delete" : "Move all and delete"}
      danger
      pending={pending || deleting}
      why={!target && "Choose where the items go"}
      onAct={move}
    >
      <div className="flex flex-col gap-4">
        {!nowhere.value && (
          <LocationPicker
            label="Move all to"
            {...to}
            except={location.id}
            canCreate
            autoFocus
            required
          />
        )}
        <CheckField label="To no location" {...nowhere} />
        {refusal && <OverLimit refusal={refusal} reason={reason} onReason={setReason} />}
        <SimpleTable
          caption={`Items in ${location.name}`}
          columns={conflictColumns}
          rows={items}
          getKey={(item) => item.id}
        />
      </div>
    </ActDialog>
  );
}
