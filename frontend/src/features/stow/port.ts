/** The station's rows over the API: what sender.ts needs of the server. */
import { followQuietly } from "@/features/jobs/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { ApiError } from "@/shared/api/errors";
import { clientStore } from "@/shared/store/clientStore";
import type { BatchItem } from "./model";
import { ChangedElsewhere, type StowPort } from "./sender";
import type { Known, Row } from "./session";
import { SKIPPED_NAME } from "./skipped";

export function knownOf(item: BatchItem): Known {
  const { id, qty, user_inventory_item_location_id: binId, is_stowed: isStowed, updatedAt } = item;
  return { id, quantity: qty, binId, isStowed, updatedAt };
}

function bodyOf({ draft, quantity, bin }: Row) {
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
  };
}

function idOf({ known }: Row): number {
  if (!known) throw new ApiError("NOT_FOUND", "The server does not have this row.");
  return known.id;
}

/** A piece that was settled is a skipped one again, with its photo. */
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

/** Another tab or page was first: what it made of the row comes with the refusal. */
function changedElsewhere(error: unknown): ChangedElsewhere | null {
  if (!(error instanceof ApiError && error.code === "CONFLICT")) return null;
  const [item] = error.data as BatchItem[];
  return item?.updatedAt ? new ChangedElsewhere(knownOf(item)) : null;
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
    return knownOf(one(answer));
  },
  change: async (row, { quantity, binId }, key) => {
    const body = {
      // A bin is what was chosen last; pieces are counted from those that were there.
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
    // What was stowed at once comes out of stock again; the ledger keeps both movements.
    const query = row.known?.isStowed ? ({ stock: "out" } as const) : {};
    try {
      await api.delete("batchItems/{id}", { path: { id: idOf(row) }, query });
    } catch (error) {
      // Gone already, by another tab or by the answer that was lost: that is what was wanted.
      if (!(error instanceof ApiError && error.code === "NOT_FOUND")) throw error;
    }
  },
};
