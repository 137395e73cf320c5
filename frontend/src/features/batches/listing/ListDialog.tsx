import { ListDialog as AskListing } from "@/features/marketplace/public";
import type { ItemChoice } from "../operations";
import { useStartListing } from "./useStartListing";

/** Asks where to before items of a batch are put up for sale. */
export function ListDialog(props: {
  batchId: number;
  items: ItemChoice;
  count: number;
  onClose: () => void;
  onStarted: (jobId: string) => void;
}) {
  const { batchId, items, count, onClose, onStarted } = props;
  const listing = useStartListing(batchId);
  return (
    <AskListing
      act="items"
      count={count}
      description="Lots already on sale in the same condition at the same price are topped up."
      pending={listing.isPending}
      error={listing.error}
      onClose={onClose}
      onList={(stockroom) =>
        listing.mutate(
          { kind: "list", items, stockroom },
          { onSuccess: ({ job_id }) => onStarted(job_id) },
        )
      }
    />
  );
}
