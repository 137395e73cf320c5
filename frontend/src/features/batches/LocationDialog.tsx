import { useState } from "react";
import { LocationPicker, type PickedLocation } from "@/features/locations/public";
import { formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { toast } from "@/shared/ui/toast";
import type { BatchItem } from "./model";
import { useEditItems } from "./mutations";

/** Plans where items will go. Stowing them is another step. */
export function LocationDialog(props: {
  batchId: number;
  ids: readonly number[];
  present: PickedLocation | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const { batchId, ids, present, onClose, onDone } = props;
  const [location, setLocation] = useState(present);
  const edit = useEditItems(batchId);
  const save = (to: PickedLocation | null) => {
    const changes: Partial<BatchItem> = { user_inventory_item_location_id: to?.id ?? null };
    edit.mutate(
      { ids, changes },
      {
        onSuccess: () => {
          toast.success(
            to
              ? `${to.name} planned for ${formatCount(ids.length)} ${ids.length === 1 ? "item" : "items"}`
              : "Plan removed",
          );
          onDone();
        },
        onError: (error) => toast.error(problemText(error)),
      },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={ids.length === 1 ? "Planned location" : `Plan ${formatCount(ids.length)} items`}
      description="Where they will go. They are not stowed yet."
      size="sm"
      locked={edit.isPending}
      footer={
        <>
          <Button once onClick={() => save(null)}>
            No plan
          </Button>
          <Button
            variant="primary"
            loading={edit.isPending}
            disabledReason={!location && "Choose a location"}
            onClick={() => location && save(location)}
          >
            Plan
          </Button>
        </>
      }
    >
      <LocationPicker
        label="Location"
        value={location}
        onChange={setLocation}
        canCreate
        autoFocus
        required
      />
    </Dialog>
  );
}
