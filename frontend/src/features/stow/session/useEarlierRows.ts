import { queryOptions } from "@tanstack/react-query";
import { useEffect } from "react";
import type { BatchHead } from "@/features/catalog/public";
import { api } from "@/shared/api/client";
import type { QueryOf } from "@/shared/api/wire";
import type { ItemType } from "@/shared/lib/itemTypes";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { type BatchItem, BULK_NAME, type Condition, isBulk } from "../model";
import { binOf, knownOf } from "./requests";
import { difference, type Row, withBatchPieces, withEarlier } from "./session";
import { sitting } from "./sitting";

/** As many as the page shows. */
export const SHOWN_ROWS = 8;
/** The keys of loaded rows begin with it. */
const EARLIER = "earlier ";

/**
 * Loads the rows added to the batch before this session, so that after a reload the last row can
 * still be changed, and bulk is counted into its existing row. Only while the session has no row of
 * that batch, or nothing but rows whose steps outlived a reload; for bulk, while it has counted
 * none.
 */
export function useEarlierRows(batch: BatchHead | null): void {
  const data = useSideQuery(
    { ...earlierItemsQuery(batch?.id ?? 0), enabled: batch !== null },
    "what was added before",
  );
  useEffect(() => {
    if (!batch || !data) return;
    // The station knows new and used only, and no row without a type.
    const rows = (items: readonly BatchItem[]) =>
      items.flatMap(({ condition, item_type, ...item }) =>
        condition === "?" || item_type === ""
          ? []
          : [rowOf({ ...item, condition, item_type }, batch)],
      );
    const last = rows(data.last);
    sitting.refresh(batch.id, last, last.length < SHOWN_ROWS);
    sitting.store.setState((session) => {
      const own = session.rows.filter((row) => row.draft.batchId === batch.id);
      // Rows that are on their way may be among those just fetched.
      const isFresh = session.startedAt === null && own.every((row) => difference(row) === null);
      const wantsLast = own.length === 0 || (isFresh && own.every(isOfPageBefore));
      const bulk = rows(data.bulk).filter(({ draft }) => !hasBulk(own, draft.condition));
      const next = withEarlier(session, wantsLast ? [...last, ...bulk] : bulk);
      return isFresh ? withBatchPieces(next, batch.id, batch.batch_item_item_count) : next;
    }, true);
  }, [batch, data]);
}

const isOfPageBefore = (row: Row) => !row.key.startsWith(EARLIER);

/** Rows without a number from the server count too: they may be the ones just fetched. */
const hasBulk = (rows: readonly Row[], condition: Condition) =>
  rows.some(({ draft }) => isBulk(draft) && draft.condition === condition);

function rowOf(
  item: BatchItem & { condition: Condition; item_type: ItemType },
  batch: BatchHead,
): Row {
  return {
    key: EARLIER + item.id,
    draft: {
      batchId: batch.id,
      batchName: batch.name,
      batchPieces: batch.batch_item_item_count,
      lotId: item.lot_id,
      itemNumber: item.item_number,
      itemName: item.item_name,
      itemType: item.item_type,
      imageUrl: item.image_url || null,
      colorId: item.color_id ?? 0,
      colorName: item.color_name,
      colorHtml: item.color_html || null,
      condition: item.condition,
      price: item.price,
    },
    addedAt: Date.parse(item.createdAt),
    startedWith: item.qty,
    quantity: item.qty,
    bin: binOf(item),
    stow: item.is_stowed,
    overrideReason: "",
    known: knownOf(item),
    problem: null,
  };
}

/** The last rows added to a batch, and its open bulk row, however old. */
const earlierItemsQuery = (batch: number) =>
  queryOptions({
    queryKey: ["batchItems", "earlier", batch],
    queryFn: async ({ signal }) => {
      const read = async (narrowing: QueryOf<"batchItems">) => {
        const params = { batch, ordering: "-createdAt", page_size: SHOWN_ROWS, ...narrowing };
        return (await api.get("batchItems", { query: params, signal })).data;
      };
      const ofBulk = { item_type: "UNSORTED_LOT", state: "new", search: BULK_NAME } as const;
      const [last, loose] = await Promise.all([read({}), read(ofBulk)]);
      const isOfBulk = ({ item_type: itemType, item_name: itemName }: BatchItem) =>
        isBulk({ itemType, itemName });
      return { last, bulk: loose.filter(isOfBulk) };
    },
    // Fetched once when a session begins; after that the session has the newer data.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
