import { useState } from "react";
import { Button } from "./Button";
import { ConfirmDialog } from "./Destructive";
import { Notice } from "./states";
import { tellFailure } from "./tellFailure";
import { toast } from "./toast";

export type Named = { id: number; name: string };
export type TwinGroup = { rows: readonly Named[] };

/** Names that differ only in capitals or width, stored before such names were refused, each with a merge. */
export function CaseTwins(props: {
  groups: readonly TwinGroup[];
  /** The effect of a merge on the removed name: "Its batches go to …". */
  effect: (from: Named, into: Named) => string;
  merge: {
    isPending: boolean;
    mutateAsync: (twins: { id: number; into: number }) => Promise<unknown>;
  };
}) {
  const [asked, setAsked] = useState<{ from: Named; into: Named } | null>(null);
  const close = () => setAsked(null);
  const confirm = ({ from, into }: { from: Named; into: Named }) =>
    props.merge
      .mutateAsync({ id: from.id, into: into.id })
      .then(() => toast.success(`${from.name} merged into ${into.name}`), tellFailure)
      .finally(close);

  return (
    <div className="mb-3 flex flex-col gap-2">
      {props.groups.map(({ rows: [into, ...others] }) =>
        others.map(
          (from) =>
            into && (
              <Notice
                key={from.id}
                tone="warning"
                actions={
                  <Button size="sm" onClick={() => setAsked({ from, into })}>
                    {`Merge ${from.name} into ${into.name}`}
                  </Button>
                }
              >
                {`“${into.name}” and “${from.name}” differ only in capitals or width.`}
              </Notice>
            ),
        ),
      )}
      {asked && (
        <ConfirmDialog
          danger
          title={`Merge ${asked.from.name} into ${asked.into.name}?`}
          confirmLabel="Merge and delete"
          running={props.merge.isPending}
          onConfirm={() => void confirm(asked)}
          onClose={close}
        >
          {`${props.effect(asked.from, asked.into)} Then ${asked.from.name} is deleted.`}
        </ConfirmDialog>
      )}
    </div>
  );
}
