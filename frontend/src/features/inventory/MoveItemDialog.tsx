import { useState } from "react";
import { LocationPicker, OverLimit, type PickedLocation } from "@/features/locations/public";
import { ApiError } from "@/shared/api/errors";
import { formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Field, Input } from "@/shared/ui/Field";
import { toast } from "@/shared/ui/toast";
import type { InventoryItem } from "./model";
import { useMoveItem } from "./mutations";
import { whyNotMove } from "./rules";

/** Carries all or some pieces of a row somewhere else. */
export function MoveItemDialog({ item, onClose }: { item: InventoryItem; onClose: () => void }) {
  const [to, setTo] = useState<PickedLocation | null>(null);
  const [quantity, setQuantity] = useState(String(item.quantity));
  const [reason, setReason] = useState("");
  const mutation = useMoveItem();
  const refusal = capacityOf(mutation.error);
  const problem = whyNotMove(quantity, item);
  const pieces = Number(quantity);

  const move = () =>
    to &&
    mutation.mutate(
      {
        id: item.id,
        to: to.id,
        quantity: pieces,
        ...(refusal && { override_reason: reason.trim() }),
      },
      {
        onSuccess: () => {
          toast.success(
            `${formatCount(pieces)} ${pieces === 1 ? "piece" : "pieces"} moved to ${to.name}`,
          );
          onClose();
        },
        onError: (error) => {
          if (!capacityOf(error)) toast.error(problemText(error));
        },
      },
    );

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Move ${item.part_name || item.item_number}`}
      description={`${formatCount(item.quantity)} in ${item.location_name ?? "no location"}`}
      size="sm"
      locked={mutation.isPending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            loading={mutation.isPending}
            disabledReason={!to ? "Choose where to" : problem}
            onClick={move}
          >
            {refusal ? "Move anyway" : "Move"}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <LocationPicker
          label="Move to"
          value={to}
          onChange={(location) => {
            setTo(location);
            mutation.reset();
          }}
          except={item.location_id ?? undefined}
          canCreate
          autoFocus
          required
        />
        <Field
          label="How many"
          error={problem}
          hint={problem || pieces === item.quantity ? undefined : "The rest stays where it is."}
        >
          <Input numeric value={quantity} onChange={(event) => setQuantity(event.target.value)} />
        </Field>
        {refusal && <OverLimit refusal={refusal} reason={reason} onReason={setReason} />}
      </div>
    </Dialog>
  );
}

const capacityOf = (error: Error | null): ApiError | null =>
  error instanceof ApiError && error.code === "CAPACITY_EXCEEDED" ? error : null;
