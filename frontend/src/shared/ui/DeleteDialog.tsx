import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmDialog } from "./Destructive";
import { toast } from "./toast";

type Deletion = { name: string; run: () => void; pending: boolean; onClose: () => void };

/** Deletes a row that a dialog asks about. Says so, and closes the dialog. */
export function useDeletion<Asked>(
  mutation: Pick<UseMutationResult<unknown, Error, Asked>, "mutate" | "isPending">,
  row: {
    name: string;
    asked: Asked;
    onClose: () => void;
    onDeleted?: () => void;
    onRefused?: (error: Error) => void;
  },
): Deletion {
  const { name, asked, onClose, onDeleted, onRefused } = row;
  const run = () =>
    mutation.mutate(asked, {
      onSuccess: () => {
        toast.success(`${name} deleted`);
        onDeleted?.();
        onClose();
      },
      onError: onRefused,
    });
  return { name, run, pending: mutation.isPending, onClose };
}

/** Asks before a row is deleted. What is lost is in `children`. */
export function DeleteDialog(props: {
  deletion: Deletion;
  /** What the row is: "batch". */
  kind: string;
  /** Why it cannot be confirmed yet. */
  why?: string | false;
  children: ReactNode;
}) {
  const { deletion, kind, why, children } = props;
  return (
    <ConfirmDialog
      title={`Delete ${deletion.name}?`}
      confirmLabel={`Delete ${kind}`}
      danger
      running={deletion.pending}
      blockedReason={why}
      onConfirm={deletion.run}
      onClose={deletion.onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
