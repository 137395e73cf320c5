import { useState } from "react";
import { ApiError } from "@/shared/api/errors";
import { counted, formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Field, Input } from "@/shared/ui/Field";
import { Notice } from "@/shared/ui/states";
import { CallsLeft } from "../CallsLeft";
import { Differences } from "./Differences";
import type { StoreSync, SyncDifference } from "./model";
import { useApplyStoreSync } from "./mutations";
import { kindsOf, type LeftOut, lotsToDo, removalsLeft } from "./rules";

const nothing: LeftOut = new Map();

/** All that a sync would do, before any of it is done. */
export function Planned({ sync, onClose }: { sync: StoreSync; onClose: () => void }) {
  const { counts, batch_name: batchName } = sync;
  const notListed = counts.not_listed ?? 0;
  const [leftOut, setLeftOut] = useState<LeftOut>(nothing);
  const [typed, setTyped] = useState("");
  const apply = useApplyStoreSync(sync.id);
  const removals = removalsLeft(sync, leftOut);
  const lots = lotsToDo(sync, leftOut);
  const refused = apply.error instanceof ApiError && apply.error.fields?.confirm_removals;

  const toggle = ({ id, kind }: SyncDifference) => {
    const next = new Map(leftOut);
    if (!next.delete(id)) next.set(id, kind);
    setLeftOut(next);
  };
  const blocked =
    lots === 0
      ? "There is nothing to change"
      : removals > 0 && typed.trim() !== String(removals)
        ? `Type ${removals} first: so many lots would be removed`
        : null;
  return (
    <Dialog
      open
      onClose={onClose}
      title="What differs between stock and store"
      description={`${batchName ? `What ${batchName} stowed` : "Your whole stock"}. Nothing has changed yet.`}
      size="xl"
      locked={apply.isPending}
      holdsInput={false} // a typed count confirms, and is nothing by itself
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            loading={apply.isPending}
            disabledReason={blocked}
            onClick={() =>
              apply.mutate({
                typed: removals > 0 ? removals : null,
                leaveOut: [...leftOut.keys()],
              })
            }
          >
            {lots === 0 ? "Sync" : `Sync ${formatCount(lots)} ${lots === 1 ? "lot" : "lots"}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {apply.error && (
          <Notice tone="danger" title="It was not applied">
            {refused ? refused.join(" ") : problemText(apply.error)}
          </Notice>
        )}
        {kindsOf(sync).length === 0 && (
          <Notice tone="success" title="Stock and store agree">
            {formatCount(counts.same)} {counts.same === 1 ? "lot is" : "lots are"} the same on both
            sides.
          </Notice>
        )}
        {notListed > 0 && (
          <Notice tone="info">
            {counted(notListed, "row")} of your stock {notListed === 1 ? "is" : "are"} not in the
            store. List them from their batch.
          </Notice>
        )}
        <Differences sync={sync} leftOut={leftOut} onToggle={toggle} />
        {removals > 0 && (
          <Notice
            tone="danger"
            title={`${formatCount(removals)} ${removals === 1 ? "lot" : "lots"} would be removed`}
          >
            <p>
              What is gone from the store leaves your stock; what you have none of leaves the store.
              This cannot be undone.
            </p>
            <Field label={`Type ${removals} to go on`} className="mt-2 max-w-60">
              <Input
                numeric
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                autoComplete="off"
              />
            </Field>
          </Notice>
        )}
        {lots > 0 && <CallsLeft />}
      </div>
    </Dialog>
  );
}
