/** The query cache with its defaults, for the app and for the tests. */
import { MutationCache, QueryCache, QueryClient, type QueryFilters } from "@tanstack/react-query";
import { Deletions, isThere } from "./deletions";
import { ApiError } from "./errors";
import { type TellFailure, tell } from "./failures";
import { askOrRecall } from "./keptAnswers";
import { refetchStale } from "./stale";

/**
 * An answer that was asked for before a write never replaces what is known after it: a request that
 * is under way then is ended and sent again, and whoever waits for its answer gets the new one. The
 * library does so only where a query has data and is on the page.
 */
class Client extends QueryClient {
  override invalidateQueries(...[filters, options]: Parameters<QueryClient["invalidateQueries"]>) {
    this.askAgain(filters);
    return super.invalidateQueries(filters, { ...options, cancelRefetch: false });
  }

  override setQueryData(...given: Parameters<QueryClient["setQueryData"]>): never {
    const data = super.setQueryData(...given);
    this.askAgain({ queryKey: given[0], exact: true });
    return data as never; // of the caller's type
  }

  private askAgain(filters?: QueryFilters): void {
    for (const query of this.getQueryCache().findAll(filters)) {
      if (query.state.fetchStatus === "idle") continue;
      void query.cancel({ silent: true });
      query.fetch().catch(() => undefined); // the page shows the error
    }
  }
}

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
  const client = new Client({
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
        enabled: isThere,
        persister: askOrRecall,
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
