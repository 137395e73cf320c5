import {
  ListDialog,
  type ListingAct,
  type StockRows,
  UnlistDialog,
  useStockListing,
} from "@/features/marketplace/public";

/** Asks where to before rows of stock are put up for sale, or taken off. */
export function ListRows(props: {
  act: Exclude<ListingAct, "items">;
  rows: StockRows;
  count: number;
  onClose: () => void;
  onStarted: (jobId: string) => void;
}) {
  const { act, rows, count, onClose, onStarted } = props;
  const listing = useStockListing();
  const asked = { count, pending: listing.isPending, error: listing.error, onClose };
  const started = {
    onSuccess: ({ job_id }: { job_id: string }) => onStarted(job_id),
  };
  return act === "unlist" ? (
    <UnlistDialog
      {...asked}
      onUnlist={(stockroom) => listing.mutate({ act, rows, stockroom }, started)}
    />
  ) : (
    <ListDialog
      {...asked}
      act={act}
      description="Lots already for sale stay as they are. Lots in a stockroom go on sale, and pieces that wait in batches are listed with them."
      onList={(stockroom) => listing.mutate({ act, rows, stockroom }, started)}
    />
  );
}
