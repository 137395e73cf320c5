import { useState } from "react";
import { ApiError } from "@/shared/api/errors";
import { counted, formatCount } from "@/shared/lib/format";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Checkbox } from "@/shared/ui/Checkbox";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { toast } from "@/shared/ui/toast";
import { LocationPicker, type PickedLocation } from "./LocationPicker";
import type { ConflictItem, Location } from "./model";
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

  const deleteIt = () =>
    remove.mutate(location.id, {
      onSuccess: () => {
        toast.success(`${location.name} deleted`);
        onDeleted?.();
        onClose();
      },
      onError: (error) => {
        if (isNotEmpty(error))
          setConflict(error.data as ConflictItem[]); // what this code carries
        else onClose();
      },
    });

  if (conflict) {
    return (
      <NotEmptyDialog
        location={location}
        items={conflict}
        onClose={onClose}
        onMoved={deleteIt}
        deleting={remove.isPending}
      />
    );
  }
  return (
    <ConfirmDialog
      open
      title={`Delete ${location.name}?`}
      confirmLabel="Delete location"
      danger
      running={remove.isPending}
      onConfirm={deleteIt}
      onClose={onClose}
    >
      {location.item_count > 0
        ? `It holds ${counted(location.item_count, "piece")}: what they are is listed next, and where they can go. Nothing is deleted before that.`
        : "The location and its limits are gone for good. Its history stays with the items that lay there."}
    </ConfirmDialog>
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
  const [to, setTo] = useState<PickedLocation | null>(null);
  const [nowhere, setNowhere] = useState(false);
  const target = nowhere ? NO_LOCATION : to;
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
        {!nowhere && (
          <LocationPicker
            label="Move all to"
            value={to}
            onChange={setTo}
            except={location.id}
            canCreate
            autoFocus
            required
          />
        )}
        <Checkbox
          label="To no location"
          checked={nowhere}
          onChange={(event) => setNowhere(event.target.checked)}
        />
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
