import { ListingDialog } from "@/features/marketplace/public";
import { OpenedRow } from "../OpenedRow";
import { inventoryQueries } from "../queries";
import { ListRows } from "./ListRows";

const TOUCHES = [inventoryQueries.lists()];

/** A listing of stock rows from its start to its result, at `?listing=…`: it survives a reload. */
export function StockListing(props: {
  jobId: string;
  onJob: (jobId: string) => void;
  onClose: () => void;
}) {
  const { jobId, onJob, onClose } = props;
  return (
    <ListingDialog
      jobId={jobId}
      onClose={onClose}
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
