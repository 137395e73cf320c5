import { useState } from "react";
import { ApiError } from "@/shared/api/errors";
import { InputField } from "@/shared/ui/Field";
import { Notice } from "@/shared/ui/states";
import type { Bin } from "./model";
import { useMergeLocation, useMoveContents } from "./mutations";

export type Target = { id: number | null; name: string };
/** Where nothing is too full. */
export const NO_LOCATION: Target = { id: null, name: "no bin" };

const isOverLimit = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.code === "CAPACITY_EXCEEDED";

const TELL_OTHERS = { tellsFailure: (error: Error) => !isOverLimit(error) };

/** The reason that a full target asks of the person who wants it all the same. */
function useOverride(error: Error | null) {
  const [reason, setReason] = useState("");
  const refusal = isOverLimit(error) ? error : null;
  return { refusal, reason, setReason, said: refusal && { override_reason: reason.trim() } };
}

/** Moves everything to another location, or to none. */
export function useMoveAll(
  from: number,
  to: Target | null,
  /** `actId` takes it back. */
  onMoved: (to: Target, actId: number) => void,
) {
  const mutation = useMoveContents(TELL_OTHERS);
  const { said, ...override } = useOverride(mutation.error);
  const move = () => {
    if (!to) return;
    const onSuccess = (actId: number) => onMoved(to, actId);
    mutation.mutate({ from, to: to.id, ...said }, { onSuccess });
  };
  return { ...override, move, pending: mutation.isPending };
}

/** Merges a location into another one, which a merge cannot do without. */
export function useMergeInto(id: number, into: Bin | null, onMerged: (into: Bin) => void) {
  const mutation = useMergeLocation(TELL_OTHERS);
  const { said, ...override } = useOverride(mutation.error);
  const move = () => {
    if (!into) return;
    const onSuccess = () => onMerged(into);
    mutation.mutate({ id, into: into.id, ...said }, { onSuccess });
  };
  return { ...override, move, pending: mutation.isPending };
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
      <InputField
        label="Reason to put it there anyway"
        hint="Kept in the history of each item."
        className="mt-2"
        value={props.reason}
        onChange={props.onReason}
        placeholder="A second box is next to it"
      />
    </Notice>
  );
}
