import { QueryClient } from "@tanstack/react-query";

/** The cache of what the server knows. Retries belong to the API client alone: one layer. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 10_000, networkMode: "always" },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
