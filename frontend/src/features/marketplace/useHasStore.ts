import { useQuery } from "@tanstack/react-query";
import { useTellMissing } from "@/shared/ui/sideQuery";
import { marketplaceQueries } from "./queries";

/** Whether there is a store to list lots in. Null until known. */
export function useHasStore(): boolean | null {
  const query = useQuery(marketplaceQueries.connection());
  useTellMissing(query, "your store connection");
  const { data, isError } = query;
  if (isError) return false;
  return data ? data.has_store : null;
}
