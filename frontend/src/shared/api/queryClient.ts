/** The query cache with its defaults, for the app and for the tests. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Deletions } from "./deletions";
import { ApiError } from "./errors";
import { type TellFailure, tell } from "./failures";
import { refetchStale } from "./stale";

/**
 * Only the API client retries. Requests are sent even if the browser reports no connection
 * ("always"), because browsers are often wrong about it. In that mode the library does not refetch
 * on reconnect by default, so `refetchOnReconnect` is set explicitly.
 */
export function createQueryClient(
  show: TellFailure,
  onError: (error: unknown) => void,
): QueryClient {
  const queryCache = new QueryCache({ onError });
  const deletions = new Deletions(queryCache);
  const client = new QueryClient({
    queryCache,
    mutationCache: new MutationCache({
      onError: (error, variables, _context, mutation) => {
        deletions.fail(variables, mutation);
        // Deleted elsewhere meanwhile: it leaves the lists here too.
        if (error instanceof ApiError && error.status === 404) refetchStale(client, mutation);
        tell(show, error, variables, mutation.meta ?? {});
        onError(error);
      },
      onMutate: (variables, mutation) => deletions.begin(variables, mutation),
      onSuccess: (_answer, variables, _context, mutation) => {
        deletions.end(variables, mutation);
        refetchStale(client, mutation);
      },
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
  return client;
}
