import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { components } from "@/shared/api/schema";

export type Found = components["schemas"]["FindRow"];
export type FoundPart = components["schemas"]["FoundPart"];

/** What a text finds in stock, catalogue, bins, batches, sets and sources. */
export const findQuery = (text: string) =>
  queryOptions({
    queryKey: ["find", text],
    enabled: text !== "",
    queryFn: async ({ signal }) => one(await api.get<Found>("find", { search: text }, { signal })),
    placeholderData: text === "" ? undefined : keepPreviousData,
    // Stock changes while one works: an answer serves one opening, not the next.
    staleTime: 5_000,
    gcTime: 60_000,
  });
