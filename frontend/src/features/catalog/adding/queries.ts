import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import type { FromOthers } from "@/shared/api/keptAnswers";
import { queryOne, queryPage, queryRows } from "@/shared/api/queries";
import { SEEN_IN_PASSING } from "../queries";

const MINUTES = 60_000;

/** As many pictures of a bin as fit beside each other. */
export const SHOWN_LOTS = 8;

/** Without the server: the bins as last known, for any number of pieces. */
const ofSameLot =
  (lot: number, condition: "N" | "U"): FromOthers =>
  (others) =>
    others.find(({ key }) => key[2] === lot && key[3] === condition)?.data;

/** Queries about stock. Their keys begin with stock's, so that a stow refreshes them. */
export const stockQueries = {
  /** The person's stock of an item, in every colour, condition and bin. */
  owned: (itemId: number) => ({
    ...queryRows(["inventory", "owned", itemId], "inventoryItems/owned", {
      query: { item: itemId },
    }),
    ...SEEN_IN_PASSING,
  }),
  /** The largest lots of a bin, and how many lots it holds. */
  contents: (binId: number) => ({
    ...queryPage(["inventory", "contents", binId, "largest"], "inventoryItems", {
      query: { location: String(binId), ordering: "-quantity", page_size: SHOWN_LOTS },
    }),
    ...SEEN_IN_PASSING,
  }),
  /** Bins for this many pieces of a lot, best first; among equal ones `near` decides. */
  destinations: (lot: number, condition: "N" | "U", quantity: number, near = "") => ({
    ...queryRows(
      ["inventory", "destinations", lot, condition, quantity, near],
      "inventoryItems/destinations",
      { query: { lot, condition, quantity, ...(near && { near }) } },
    ),
    meta: { fromOthers: ofSameLot(lot, condition) },
    ...SEEN_IN_PASSING,
  }),
};

/**
 * The query of each lot's bins for one piece, as `destinations` has it, behind one request for all
 * of them: what a picture may show needs its bins at the same moment.
 */
export function destinationsOfEach(lots: readonly number[], condition: "N" | "U", near: string) {
  const [lot, ...others] = lots;
  const more = others.length > 0 && { more_lots: others.join(",") };
  const ask = () =>
    api.get("inventoryItems/destinations", {
      query: { lot: lot ?? 0, ...more, condition, quantity: 1, ...(near && { near }) },
    });
  let answer: ReturnType<typeof ask> | undefined;
  return lots.map((each) => ({
    ...stockQueries.destinations(each, condition, 1, near),
    queryFn: async () => {
      answer ??= ask();
      return (await answer).data.filter((row) => row.lot_id === each);
    },
  }));
}

export const batchPickQueries = {
  /** Open batches that match the text, the newest first (the server's order). */
  pick: (search: string) => ({
    ...queryRows(["batches", "pick", search], "batches", { query: { search, page_size: 20 } }),
    placeholderData: keepPreviousData,
  }),
  head: (id: number) =>
    queryOptions({
      ...queryOne(["batches", "head", id], "batches/{id}", { path: { id } }),
      // The answer has up to 500 items: fetched when the page opens, and not on every focus.
      refetchOnMount: "always",
      refetchOnWindowFocus: false,
    }),
  /** The sets that were parted out into a batch, and the parts it can hold. */
  knownParts: (id: number) => ({
    ...queryOne(["batches", "knownParts", id], "batches/{id}/knownParts", { path: { id } }),
    staleTime: 5 * MINUTES,
  }),
};
