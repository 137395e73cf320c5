import { ListingDialog as FollowListing } from "@/features/marketplace/public";
import { OpenedItem } from "../OpenedItem";
import { ListDialog } from "./ListDialog";

const TOUCHES = ["batchItems", "batches"] as const;

/** A listing of a batch's items, from its start to its result. */
export function ListingDialog(props: {
  batchId: number;
  jobId: string;
  onClose: () => void;
  /** Another job took over: what was refused is tried again. */
  onJob: (jobId: string) => void;
}) {
  const { batchId, jobId, onClose, onJob } = props;
  return (
    <FollowListing
      jobId={jobId}
      onClose={onClose}
      touches={TOUCHES}
      again={(ids, _act, close) => (
        <ListDialog
          batchId={batchId}
          items={ids}
          count={ids.length}
          onClose={close}
          onStarted={onJob}
        />
      )}
      opened={(id, close) => <OpenedItem id={id} onClose={close} />}
    />
  );
}
