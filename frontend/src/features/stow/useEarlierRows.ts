import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { BatchHead, BatchItem } from "./model";
import { knownOf } from "./port";
import { batchPickQueries } from "./queries";
import { type Row, withEarlier } from "./session";
import { sitting } from "./sitting";

/** As many as the page shows. */
export const SHOWN_ROWS = 8;

/**
 * Shows what was added to the batch before this sitting, so that a reload loses nothing: the last
 * row can still be changed. Only where the sitting has no row of that batch yet.
 */
export function useEarlierRows(batch: BatchHead | null): void {
  const query = useQuery({
    ...batchPickQueries.lastItems(batch?.id ?? 0, SHOWN_ROWS),
    enabled: batch !== null,
  });
  const { data } = query;
  useEffect(() => {
    if (!batch || !data) return;
    sitting.store.setState((session) => {
      const begun = session.rows.some((row) => row.draft.batchId === batch.id);
      return begun
        ? session
        : withEarlier(
            session,
            data.map((item) => rowOf(item, batch)),
          );
    }, true);
  }, [batch, data]);
}

function rowOf(item: BatchItem, batch: BatchHead): Row {
  const { user_inventory_item_location_id: binId, user_inventory_item_location_name: binName } =
    item;
  return {
    key: `earlier ${item.id}`,
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
    bin: binId === null ? null : { id: binId, name: binName ?? "" },
    stow: item.is_stowed,
    overrideReason: "",
    known: knownOf(item),
    creation: 0,
    inDoubt: false,
    sending: false,
    unsent: false,
    problem: null,
  };
}
