import { useMutation, useQueryClient } from "@tanstack/react-query";
import { followJob } from "@/features/jobs/public";
import {
  ListDialog as AskListing,
  marketplaceQueries,
  type Stockroom,
} from "@/features/marketplace/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { invalidate } from "@/shared/lib/tags";
import type { ListAnswer } from "@/shared/table/column";
import type { BatchItem } from "../model";
import type { ItemChoice } from "../operations";
import { batchItemQueries } from "../queries";
import { TOLD_FOR_MS, WORK } from "../work";

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

type ListingRequest = { kind: "list"; items: ItemChoice; stockroom: Stockroom };

/** Puts items up for sale; resolves with the job that does it. Its rows are pending at once. */
function useStartListing(batchId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: [WORK, batchId],
    gcTime: TOLD_FOR_MS,
    onMutate: ({ items }: ListingRequest) => {
      const queryKey = batchItemQueries.lists(batchId);
      // What is on its way does not know of this; the end of the mutation asks again.
      void client.cancelQueries({ queryKey });
      client.setQueriesData<ListAnswer<BatchItem>>(
        { queryKey },
        (answer) =>
          answer && {
            ...answer,
            data: answer.data.map((row) =>
              row.state === "stowed" && (items === "all" || items.includes(row.id))
                ? { ...row, is_listed_pending: true }
                : row,
            ),
          },
      );
    },
    mutationFn: async ({ items, stockroom }: ListingRequest) =>
      one(
        await api.post("marketplace/listings", {
          body: {
            batch_id: batchId,
            items,
            stockroom,
          },
        }),
      ),
    onSuccess: ({ job_id }) => followJob(job_id),
    onSettled: () =>
      void invalidate(client, "batches", "batchItems", marketplaceQueries.connection().queryKey),
  });
}
