/** The station's requests for rows: the part of the API that sender.ts uses. */

import { followQuietly } from "@/features/jobs/public";
import type { Bin } from "@/features/locations/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { ApiError } from "@/shared/api/errors";
import { rowsWith } from "@/shared/lib/records";
import { clientStore } from "@/shared/store/clientStore";
import { SKIPPED_NAME } from "../add/skipped";
import type { BatchItem } from "../model";
import { ChangedElsewhere, type StowPort } from "./sender";
import type { Known, Row } from "./session";

export function knownOf(item: BatchItem): Known {
  const { id, qty, user_inventory_item_location_id: binId, is_stowed: isStowed, updatedAt } = item;
  return { id, quantity: qty, binId, isStowed, updatedAt };
}

export function binOf(item: BatchItem): Bin | null {
  const { user_inventory_item_location_id: id, user_inventory_item_location_name: name } = item;
  return id === null ? null : { id, name: name ?? "" };
}

function bodyOf({ draft, quantity, bin, join }: Row) {
  const { batchId, lotId, itemNumber, itemName, itemType, colorId, condition, price } = draft;
  const identity =
    lotId === null
      ? { item_number: itemNumber, item_name: itemName, item_type: itemType, color_id: colorId }
      : { lot_id: lotId };
  return {
    batch_id: batchId,
    ...identity,
    qty: quantity,
    condition,
    ...(price !== null && { price }),
    user_inventory_item_location_id: bin?.id ?? null,
    ...(join && { top_up: true }),
  };
}

function idOf({ known }: Row): number {
  if (!known) throw new ApiError("NOT_FOUND", "The server does not have this row.");
  return known.id;
}

/** Undo of a settled piece: it is a skipped piece again, with its photo. */
async function putOff(row: Row): Promise<void> {
  const id = idOf(row);
  if (row.known?.isStowed)
    await api.post("batches/{id}/remove", {
      path: { id: row.draft.batchId },
      body: { items: [id] },
    });
  await api.patch("batchItems/{id}", {
    path: { id },
    body: {
      item_type: "UNSORTED_LOT",
      item_number: "",
      item_name: SKIPPED_NAME,
      qty: 1,
      price: null,
      user_inventory_item_location_id: null,
    },
  });
}

/** Another tab or page changed the row first: the refusal contains the current row. */
function changedElsewhere(error: unknown): ChangedElsewhere | null {
  if (!(error instanceof ApiError && error.code === "CONFLICT")) return null;
  const [item] = rowsWith<BatchItem>(error.data, "updatedAt");
  return item ? new ChangedElsewhere(knownOf(item), binOf(item)) : null;
}

/** Since an earlier page, the row may have been changed elsewhere. */
async function checkSame(row: Row): Promise<void> {
  const item = one(await api.get("batchItems/{id}", { path: { id: idOf(row) } }));
  const now = knownOf(item);
  if (now.updatedAt !== row.known?.updatedAt) throw new ChangedElsewhere(now, binOf(item));
}

export const stowPort: StowPort = {
  listsToo: () => clientStore.get("options.listWithStow"),
  add: async (row, key, onTrouble) => {
    const { settles } = row.draft;
    const config = {
      headers: { "Idempotency-Key": key },
      onAttempt: ({ retryInMs }: { retryInMs?: number | null }) => {
        if (retryInMs) onTrouble();
      },
    };
    const answer = settles
      ? await api.patch("batchItems/{id}", { path: { id: settles }, body: bodyOf(row), ...config })
      : await api.post("batchItems", { body: bodyOf(row), ...config });
    const item = one(answer);
    const known = knownOf(item);
    const isJoined = "is_topped_up" in item && item.is_topped_up === true;
    return isJoined ? { ...known, joined: item.qty - row.quantity } : known;
  },
  change: async (row, { quantity, binId }, key) => {
    const body = {
      // The bin is the one chosen last; the quantity is a difference to the row's pieces.
      ...(quantity !== undefined && { qty: quantity, updatedAt: row.known?.updatedAt }),
      ...(binId !== undefined && { user_inventory_item_location_id: binId }),
      ...(row.overrideReason && { override_reason: row.overrideReason }),
    };
    const headers = { "Idempotency-Key": key };
    try {
      return knownOf(
        one(await api.patch("batchItems/{id}", { path: { id: idOf(row) }, body, headers })),
      );
    } catch (error) {
      throw changedElsewhere(error) ?? error;
    }
  },
  stow: async (row, key) => {
    const id = idOf(row);
    const body = {
      items: [id],
      ...(row.overrideReason && { override_reason: row.overrideReason }),
      ...(row.list && { list: true }),
    };
    const headers = { "Idempotency-Key": key };
    const path = { id: row.draft.batchId };
    const [stowed] = (await api.post("batches/{id}/stow", { path, body, headers })).data;
    if (stowed?.listing_job_id) followQuietly(stowed.listing_job_id);
    return knownOf(one(await api.get("batchItems/{id}", { path: { id } })));
  },
  remove: async (row) => {
    if (row.draft.settles) return putOff(row);
    // Removes directly stowed pieces from stock; the ledger keeps both movements.
    const query = row.known?.isStowed ? ({ stock: "out" } as const) : {};
    try {
      if (row.startedWith > 0) await checkSame(row);
      await api.delete("batchItems/{id}", { path: { id: idOf(row) }, query });
    } catch (error) {
      // The row is already deleted, by another tab or by a request whose answer was lost: the goal
      // is reached.
      if (!(error instanceof ApiError && error.code === "NOT_FOUND")) throw error;
    }
  },
};
