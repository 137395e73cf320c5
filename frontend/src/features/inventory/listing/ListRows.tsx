import { useMutation, useQueryClient } from "@tanstack/react-query";
import { followJob } from "@/features/jobs/public";
import {
  ListDialog,
  type ListingAct,
  marketplaceQueries,
  type Stockroom,
  UnlistDialog,
} from "@/features/marketplace/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { invalidate } from "@/shared/lib/tags";
import type { ChosenRows } from "../model";

/** Asks where to before rows of stock are put up for sale, or taken off. */
export function ListRows(props: {
  act: Exclude<ListingAct, "items">;
  rows: ChosenRows;
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

type StockListing =
  | { act: "stock"; rows: ChosenRows; stockroom: Stockroom }
  | { act: "unlist"; rows: ChosenRows; stockroom: "A" | "B" | "C" };

/** Puts rows of stock up for sale, or takes them off; resolves with the job that does it. */
function useStockListing() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ act, rows, stockroom }: StockListing) =>
      one(await api.post(`marketplace/listings/${act}`, { body: { ...rows, stockroom } })),
    onSuccess: ({ job_id }) => followJob(job_id),
    onSettled: () => void invalidate(client, "inventory", marketplaceQueries.connection().queryKey),
  });
}
