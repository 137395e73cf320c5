import { useState } from "react";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { toast } from "@/shared/ui/toast";
import { LocationPicker, type PickedLocation } from "./LocationPicker";
import type { Location } from "./model";
import { OverLimit, useMoveAll } from "./overLimit";

/** Moves everything that lies in a location to another one. */
export function MoveContentsDialog(props: {
  location: Pick<Location, "id" | "name" | "item_count">;
  onClose: () => void;
}) {
  const { location, onClose } = props;
  const [to, setTo] = useState<PickedLocation | null>(null);
  const { move, refusal, reason, setReason, pending } = useMoveAll(location.id, to, (target) => {
    toast.success(`${location.name} moved to ${target.name}`);
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Move everything in ${location.name}`}
      size="sm"
      locked={pending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            loading={pending}
            disabledReason={!to && "Choose where to"}
            onClick={move}
          >
            {refusal ? "Move anyway" : "Move all"}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <LocationPicker
          label="Move to"
          value={to}
          onChange={setTo}
          except={location.id}
          canCreate
          autoFocus
          required
        />
        {refusal && <OverLimit refusal={refusal} reason={reason} onReason={setReason} />}
      </div>
    </Dialog>
  );
}
