import { useQuery } from "@tanstack/react-query";
import { useTellMissing } from "@/shared/ui/sideQuery";
import { marketplaceQueries } from "./queries";

/** Whether lots can be listed: a store is connected, or the demo gives one. Null until known. */
export function useHasStore(): boolean | null {
  const query = useQuery(marketplaceQueries.connection());
  useTellMissing(query, "your store connection");
  const { data, isError } = query;
  if (isError) return false;
  return data ? data.is_demo || data.state !== "none" : null;
}
