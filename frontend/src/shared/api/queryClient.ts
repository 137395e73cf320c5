/** The cache of what the server knows: one recipe for the product and for the tests. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Deletions } from "./deletions";

/**
 * Retries belong to the API client alone: one layer. Requests go out without asking the browser
 * whether there is a line ("always"), which it often does not know; the library then leaves out
 * fetching again when the line is back, so that is asked for by name.
 */
export function createQueryClient(onError?: (error: unknown) => void): QueryClient {
  const queryCache = new QueryCache({ onError });
  const deletions = new Deletions(queryCache);
  return new QueryClient({
    queryCache,
    mutationCache: new MutationCache({
      onError: (error, variables, _context, mutation) => {
        deletions.fail(variables, mutation);
        onError?.(error);
      },
      onMutate: (variables, mutation) => deletions.begin(variables, mutation),
      onSuccess: (_answer, variables, _context, mutation) => deletions.end(variables, mutation),
    }),
    defaultOptions: {
      queries: {
        enabled: deletions.isThere,
        retry: false,
        staleTime: 10_000,
        networkMode: "always",
        refetchOnReconnect: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
