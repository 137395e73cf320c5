import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Schema } from "@/shared/api/wire";

export type Found = Schema<"FindRow">;
export type FoundPart = Schema<"FoundPart">;

/** What a text finds in stock, catalogue, bins, batches, sets and sources. */
export const findQuery = (text: string) =>
  queryOptions({
    queryKey: ["find", text],
    enabled: text !== "",
    queryFn: async ({ signal }) => one(await api.get("find", { query: { search: text }, signal })),
    placeholderData: text === "" ? undefined : keepPreviousData,
    // Stock changes while one works: an answer serves one opening, not the next.
    staleTime: 5_000,
    gcTime: 60_000,
  });
