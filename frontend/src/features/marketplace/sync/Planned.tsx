import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { ApiError } from "@/shared/api/errors";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { TypedCount } from "@/shared/ui/TypedCount";
import { CallsLeft } from "../CallsLeft";
import { ListDialog } from "../listing/ListDialog";
import { useStockListing } from "../listing/useStockListing";
import { Differences } from "./Differences";
import type { StoreSync } from "./model";
import { useApplyStoreSync } from "./mutations";
import {
  type Choice,
  firstChoice,
  isChosen,
  kindsOf,
  lotsOf,
  lotsToDo,
  removalsLeft,
  toggled,
} from "./rules";

/** All that a sync would do, before any of it is done. */
export function Planned({ sync, onClose }: { sync: StoreSync; onClose: () => void }) {
  const { counts, batch_name: batchName } = sync;
  const notListed = counts.not_listed ?? 0;
  const [choice, setChoice] = useState<Choice>(() => firstChoice(sync));
  const [typed, setTyped] = useState("");
  const [isListing, setIsListing] = useState(false);
  const apply = useApplyStoreSync(sync.id);
  const removals = removalsLeft(sync, choice);
  const lots = lotsToDo(sync, choice);
  const refused = apply.error instanceof ApiError && apply.error.fields?.confirm_removals;

  const blocked =
    lots === 0
      ? choice.all
        ? "There is nothing to change"
        : "Choose lots first"
      : removals > 0 && typed.trim() !== String(removals)
        ? `Type ${removals} first: so many lots would be removed`
        : null;
  if (isListing) return <ListMissing sync={sync} onClose={() => setIsListing(false)} />;
  return (
    <ActDialog
      onClose={onClose}
      title="What differs between stock and store"
      description={`${batchName ? `What ${batchName} stowed` : "Your whole stock"}. Nothing has changed yet.`}
      size="xl"
      holdsInput={false} // a typed count confirms, and is nothing by itself
      act={lots === 0 ? "Sync" : `Sync ${counted(lots, "lot")}`}
      pending={apply.isPending}
      why={blocked}
      onAct={() =>
        apply.mutate({
          typed: removals > 0 ? removals : null,
          [choice.all ? "leaveOut" : "only"]: [...choice.rows.keys()],
        })
      }
    >
      <div className="flex flex-col gap-4">
        {apply.error && (
          <Notice tone="danger" title="It was not applied">
            {refused ? refused.join(" ") : problemText(apply.error)}
          </Notice>
        )}
        {kindsOf(sync).length === 0 &&
          notListed === 0 &&
          ((counts.same ?? 0) > 0 ? (
            <Notice tone="success" title="Stock and store agree">
              {counted(counts.same ?? 0, "lot is", "lots are")} the same on both sides.
            </Notice>
          ) : (
            <Notice tone="info" title="Nothing to compare">
              No lot of your stock is in the store.
            </Notice>
          ))}
        {notListed > 0 && (
          <Notice
            tone="info"
            actions={
              <Button size="sm" onClick={() => setIsListing(true)}>
                List {counted(notListed, "row")}…
              </Button>
            }
          >
            {counted(notListed, "row")} of your stock {notListed === 1 ? "is" : "are"} not in the
            store.
          </Notice>
        )}
        {sync.suspicion && (
          <Notice
            tone="danger"
            title="Is this your store?"
            actions={
              !choice.all && (
                <Button size="sm" onClick={() => setChoice({ all: true, rows: new Map() })}>
                  Choose all {formatCount(lotsOf(sync))} lots
                </Button>
              )
            }
          >
            {sync.suspicion} Nothing is chosen yet.
          </Notice>
        )}
        <Differences
          sync={sync}
          isChosen={({ id }) => isChosen(choice, id)}
          onToggle={(row) => setChoice((now) => toggled(now, row))}
        />
        {removals > 0 && (
          <Notice tone="danger" title={`${counted(removals, "lot")} would be removed`}>
            <p>
              Lots gone from the store leave your stock; lots that you no longer have leave the
              store. Your rows can be restored under Imports; a lot deleted in the store cannot.
            </p>
            <TypedCount count={removals} typed={typed} onTyped={setTyped} />
          </Notice>
        )}
        {lots > 0 && <CallsLeft />}
      </div>
    </ActDialog>
  );
}

/** Lists the rows that the store lacks; their listing is shown in Inventory. */
function ListMissing({ sync, onClose }: { sync: StoreSync; onClose: () => void }) {
  const listing = useStockListing();
  const navigate = useNavigate();
  const filter = {
    listed: "no",
    is_known: "true",
    ...(sync.batch_id !== null && { batch: String(sync.batch_id) }),
  };
  return (
    <ListDialog
      act="stock"
      count={sync.counts.not_listed ?? 0}
      description="Pieces that wait in batches are listed with them."
      pending={listing.isPending}
      error={listing.error}
      onClose={onClose}
      onList={(stockroom) =>
        listing.mutate(
          { act: "stock", rows: { filter }, stockroom },
          { onSuccess: ({ job_id }) => navigate(pathTo("inventory", { listing: job_id })) },
        )
      }
    />
  );
}
