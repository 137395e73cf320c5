import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Batch } from "../model";
import { batchItemQueries, batchQueries } from "../queries";

/** Between two looks at a batch while something is listed, in milliseconds. */
const LOOK_MS = 3000;

/** While a batch is listed, by this tab or another, its rows are shown as they become listed. */
export function useFollowListing({ id, isListing }: Pick<Batch, "id" | "isListing">): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isListing) return;
    const look = () => {
      void client.invalidateQueries({ queryKey: batchQueries.detail(id).queryKey });
      void client.invalidateQueries({ queryKey: batchItemQueries.lists(id) });
    };
    const timer = setInterval(look, LOOK_MS);
    return () => {
      clearInterval(timer);
      look(); // what the end left behind
    };
  }, [id, isListing, client]);
}
