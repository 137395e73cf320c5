import { keepPreviousData } from "@tanstack/react-query";
import { queryOne } from "@/shared/api/queries";
import type { Schema } from "@/shared/api/wire";

export type Found = Schema<"FindRow">;
export type Home = Schema<"HomeRow">;
export type FoundPart = Schema<"FoundPart">;

/** What a text finds in stock, catalogue, bins, batches, sets and sources. */
export const findQuery = (text: string) => ({
  ...queryOne(["find", text], "find", { query: { search: text } }),
  enabled: text !== "",
  placeholderData: text === "" ? undefined : keepPreviousData,
  // Stock changes while one works: an answer serves one opening, not the next.
  staleTime: 5_000,
  gcTime: 60_000,
});
