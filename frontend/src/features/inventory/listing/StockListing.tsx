import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ListingDialog } from "@/features/marketplace/public";
import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";
import { LotForm } from "../dialogParts";
import { useEditInventoryItem } from "../mutations";
import { inventoryQueries } from "../queries";
import { ListRows } from "./ListRows";

const TOUCHES = [inventoryQueries.lists()];

/** A listing of stock rows from its start to its result, at `?listing=…`: it survives a reload. */
export function StockListing(props: { jobId: string; onJob: (jobId: string | null) => void }) {
  const { jobId, onJob } = props;
  return (
    <ListingDialog
      jobId={jobId}
      onClose={() => onJob(null)}
      touches={TOUCHES}
      again={(ids, act, close) => (
        <ListRows
          act={act === "unlist" ? "unlist" : "stock"}
          rows={{ ids }}
          count={ids.length}
          onClose={close}
          onStarted={onJob}
        />
      )}
      opened={(id, close) => <OpenedRow id={id} onClose={close} />}
    />
  );
}

/** The form of a row of which only the id is known. */
function OpenedRow({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: item, error } = useQuery(inventoryQueries.detail(id));
  const edit = useEditInventoryItem();
  useEffect(() => {
    if (!error) return;
    toast.error(problemText(error));
    onClose();
  }, [error, onClose]);
  if (!item) return null;
  return (
    <LotForm
      title={item.part_name || item.item_number}
      lot={item}
      onSave={async (changes) => {
        await edit.mutateAsync({ item, changes });
      }}
      onClose={onClose}
    />
  );
}
