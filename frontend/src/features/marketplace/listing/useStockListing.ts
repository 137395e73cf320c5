import { useMutation, useQueryClient } from "@tanstack/react-query";
import { followJob } from "@/features/jobs/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { invalidate } from "@/shared/lib/tags";
import { marketplaceQueries } from "../queries";
import type { Stockroom } from "./model";

/** Rows of stock by their ids, or all that match a filter of the list. */
export type StockRows = { ids: readonly number[] } | { filter: Record<string, string> };

type StockListing =
  | { act: "stock"; rows: StockRows; stockroom: Stockroom }
  | { act: "unlist"; rows: StockRows; stockroom: "A" | "B" | "C" };

/** Puts rows of stock up for sale, or takes them off; resolves with the job that does it. */
export function useStockListing() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ act, rows, stockroom }: StockListing) =>
      one(await api.post(`marketplace/listings/${act}`, { body: { ...rows, stockroom } })),
    onSuccess: ({ job_id }) => followJob(job_id),
    onSettled: () => void invalidate(client, "inventory", marketplaceQueries.connection().queryKey),
  });
}
