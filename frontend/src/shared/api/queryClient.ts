/** The cache of what the server knows: one recipe for the product and for the tests. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

/**
 * Retries belong to the API client alone: one layer. Requests go out without asking the browser
 * whether there is a line ("always"), which it often does not know; the library then leaves out
 * fetching again when the line is back, so that is asked for by name.
 */
export function createQueryClient(onError?: (error: unknown) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 10_000,
        networkMode: "always",
        refetchOnReconnect: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
