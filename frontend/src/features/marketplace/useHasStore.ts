import { useQuery } from "@tanstack/react-query";
import { marketplaceQueries } from "./queries";

/** Whether lots can be listed: a store is connected, or the demo gives one. Null until known. */
export function useHasStore(): boolean | null {
  const { data, isError } = useQuery(marketplaceQueries.connection());
  if (isError) return false;
  return data ? data.is_demo || data.state !== "none" : null;
}
