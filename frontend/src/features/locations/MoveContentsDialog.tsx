import { useState } from "react";
import { ApiError } from "@/shared/api/errors";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Field, Input } from "@/shared/ui/Field";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { LocationPicker, type PickedLocation } from "./LocationPicker";
import type { Location } from "./model";
import { useMoveContents } from "./mutations";

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

/** The move, and what a full target asks of the person who wants it all the same. */
export function useMoveAll(
  from: number,
  to: PickedLocation | null,
  onMoved: (to: PickedLocation) => void,
) {
  const mutation = useMoveContents();
  const [reason, setReason] = useState("");
  const { error } = mutation;
  const refusal = error instanceof ApiError && error.code === "CAPACITY_EXCEEDED" ? error : null;
  const move = () => {
    if (!to) return;
    mutation.mutate(
      { from, to: to.id, ...(refusal && { override_reason: reason.trim() }) },
      {
        onSuccess: () => onMoved(to),
        onError: (problem) => {
          const known = problem instanceof ApiError && problem.code === "CAPACITY_EXCEEDED";
          if (!known) toast.error(problemText(problem));
        },
      },
    );
  };
  return { move, refusal, reason, setReason, pending: mutation.isPending };
}

/** A capacity that refuses: which limit and by how much, and the reason to pass it. */
export function OverLimit(props: {
  refusal: ApiError;
  reason: string;
  onReason: (reason: string) => void;
}) {
  return (
    <Notice tone="warning" title="It does not fit">
      <p>{props.refusal.message}</p>
      <Field
        label="Reason to put it there anyway"
        hint="Kept in the history of each item."
        className="mt-2"
      >
        <Input
          value={props.reason}
          onChange={(event) => props.onReason(event.target.value)}
          placeholder="A second box stands beside it"
        />
      </Field>
    </Notice>
  );
}
