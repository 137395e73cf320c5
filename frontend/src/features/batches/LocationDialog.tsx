import { useState } from "react";
import { type Bin, LocationPicker } from "@/features/locations/public";
import { counted } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { useEditAlike } from "./useEditAlike";

/** Plans where items will go. Stowing them is another step. */
export function LocationDialog(props: {
  batchId: number;
  ids: readonly number[];
  present: Bin | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const { batchId, ids, present, onClose, onDone } = props;
  const [location, setLocation] = useState(present);
  const edit = useEditAlike(batchId);
  const save = (to: Bin | null) => {
    edit.run(
      ids,
      { user_inventory_item_location_id: to?.id ?? null },
      (done) =>
        to
          ? `${to.name} planned for ${counted(done, "lot")}`
          : `Plan of ${counted(done, "lot")} removed`,
      onDone,
    );
  };
  return (
    <Dialog
      onClose={onClose}
      title={ids.length === 1 ? "Planned bin" : `Plan a bin for ${counted(ids.length, "lot")}`}
      description="Where they will go. They are not stowed yet."
      size="sm"
      locked={edit.running}
      footer={
        <>
          <Button once onClick={() => save(null)}>
            No plan
          </Button>
          <Button
            variant="primary"
            loading={edit.running}
            disabledReason={!location && "Choose a bin"}
            onClick={() => location && save(location)}
          >
            Plan
          </Button>
        </>
      }
    >
      <LocationPicker
        label="Bin"
        value={location}
        onChange={setLocation}
        canCreate
        autoFocus
        required
      />
    </Dialog>
  );
}
