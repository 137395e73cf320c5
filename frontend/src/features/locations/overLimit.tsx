import { useState } from "react";
import { ApiError } from "@/shared/api/errors";
import { problemText } from "@/shared/lib/problem";
import { Field, Input } from "@/shared/ui/Field";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useMoveContents } from "./mutations";

export type Target = { id: number | null; name: string };
/** Where nothing is too full. */
export const NO_LOCATION: Target = { id: null, name: "no location" };

/** The move, and what a full target asks of the person who wants it all the same. */
export function useMoveAll(
  from: number,
  to: Target | null,
  /** `actId` takes a move back; a merge cannot be. */
  onMoved: (to: Target, actId: number | null) => void,
  merge = false,
) {
  const mutation = useMoveContents();
  const [reason, setReason] = useState("");
  const { error } = mutation;
  const refusal = error instanceof ApiError && error.code === "CAPACITY_EXCEEDED" ? error : null;
  const move = () => {
    if (!to) return;
    mutation.mutate(
      { from, to: to.id, merge, ...(refusal && { override_reason: reason.trim() }) },
      {
        onSuccess: (actId) => onMoved(to, actId),
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
