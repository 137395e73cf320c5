/** What the station sends for a row, and what the answers say of it. */

import type { Bin } from "@/features/locations/public";
import { pathTo } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { memberOf, rowsWith } from "@/shared/lib/records";
import { type Later, type NewRequest, type Wire, wireOf } from "@/shared/outbox/unsent";
import { SKIPPED_NAME } from "../add/skipped";
import type { BatchItem } from "../model";
import type { Difference, Known, Problem, Row } from "./session";

/** The kind of its requests in the outbox. */
export const STATION = "station";

/** The state of a row once some requests are answered; its id may be one of the answers. */
export type Base = Omit<Known, "id"> & { id: number | Later };

/**
 * One request for a row, as the row was when it was sent. `base`: the state that it changes;
 * `change`: its pieces, more or fewer.
 */
export type RowCall = { did: Difference; row: Row; base: Base | null; change: number };

/** The call of a request of the station, as requestOf has put it. */
export const callOf = ({ about }: Pick<NewRequest, "about">) => about as RowCall;

/** What the server had before a call; null where that was not known. */
export const knownBefore = ({ base }: RowCall): Known | null =>
  base && typeof base.id === "number" ? { ...base, id: base.id } : null;

export function knownOf(item: BatchItem): Known {
  const { id, qty, user_inventory_item_location_id: binId, is_stowed: isStowed } = item;
  return { id, quantity: qty, binId, isStowed };
}

export function binOf(item: BatchItem): Bin | null {
  const { user_inventory_item_location_id: id, user_inventory_item_location_name: name } = item;
  return id === null ? null : { id, name: name ?? "" };
}

/** The pieces that a request brings to its row. */
export const changeOf = (did: Difference, row: Row, base: Base | null): number =>
  did === "add" || did === "quantity" || did === "remove"
    ? row.quantity - (base?.quantity ?? 0)
    : 0;

/** The state of a row after a call. `name`: of the request whose answer has its id. */
export function stateAfter(
  base: Base | null,
  { did, row, change }: RowCall,
  name = "",
): Base | null {
  if (did === "add" || !base) {
    const id = row.draft.settles ?? { idOf: name };
    return did === "add"
      ? { id, quantity: row.quantity, binId: row.bin?.id ?? null, isStowed: false }
      : null;
  }
  const quantity = base.quantity + change;
  if (quantity <= 0) return null;
  if (did === "bin") return { ...base, binId: row.bin?.id ?? null };
  return { ...base, quantity, isStowed: did === "stow" || (base.isStowed && did !== "unstow") };
}

/** The request of a call. `name`: under which others take the new row's id. */
export function requestOf(
  call: RowCall,
  { name, list, join }: { name: string; list: boolean; join: boolean },
): NewRequest {
  const { did, row, base } = call;
  const isStock = did === "stow" || base?.isStowed;
  return {
    ...wireOfCall(call, { list, join }),
    kind: STATION,
    rows: [`${STATION} ${row.key}`, STATION], // the batch's order is that of the acts
    words: wordsOf(call),
    to: pathTo("stow", { batch: row.draft.batchId }),
    stale: [
      ...(isStock ? (["inventory"] as const) : []),
      ...([
        ["batches", "list"],
        ["batches", "detail"],
        ["batchItems", "list"],
      ] as const),
    ],
    about: call,
    ...(did === "add" && { name }),
    ...(did === "remove" && { isDoneIfGone: true }),
  };
}

function wireOfCall(
  { did, row, base, change }: RowCall,
  { list, join }: { list: boolean; join: boolean },
): Wire {
  const { draft, bin, overrideReason } = row;
  const reason = overrideReason ? { override_reason: overrideReason } : {};
  if (did === "add") {
    const body = { ...bodyOf(row), ...(join && { top_up: true }) };
    return draft.settles === undefined
      ? wireOf("post", "batchItems", { body })
      : wireOf("patch", "batchItems/{id}", { path: { id: draft.settles }, body });
  }
  const id = base?.id ?? 0;
  if (did === "stow") {
    return wireOf("post", "batches/{id}/stow", {
      path: { id: draft.batchId },
      body: { items: [id], ...reason, ...(list && { list }) },
    });
  }
  if (did === "unstow") {
    return wireOf("post", "batches/{id}/remove", {
      path: { id: draft.batchId },
      body: { items: [id] },
    });
  }
  if (did === "bin") {
    const body = { user_inventory_item_location_id: bin?.id ?? null, ...reason };
    return wireOf("patch", "batchItems/{id}", { path: { id }, body });
  }
  if (did === "remove" && draft.settles !== undefined) return putOff(draft.settles);
  return wireOf("post", "batchItems/{id}/count", { path: { id }, body: { change, ...reason } });
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

/** Undo of a settled piece: it is a skipped piece again, with its photo. */
const putOff = (id: number): Wire =>
  wireOf("patch", "batchItems/{id}", {
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

function wordsOf({ did, row, change }: RowCall): string {
  const { draft, quantity, bin } = row;
  const name = `${draft.itemNumber || draft.itemName} ${draft.colorName}`.trim();
  switch (did) {
    case "add":
      return `Add ${quantity} of ${name}`;
    case "quantity":
      return change > 0 ? `Add ${change} more of ${name}` : `Take ${-change} of ${name} back`;
    case "remove":
    case "unstow":
      return `Take ${name} back`;
    case "bin":
      return `Plan ${name} for ${bin?.name ?? "no bin"}`;
    case "stow":
      return `Stow ${quantity} of ${name} in ${bin?.name ?? "its bin"}`;
  }
}

/** What to say of a row whose request was refused. */
export function problemOf(error: unknown, what: Difference, row: Row): Problem {
  const code = String(memberOf(error, "code") ?? "");
  const isCapacity = code === "CAPACITY_EXCEEDED";
  const limits = isCapacity ? limitsOf(error) : [];
  const canOverride = isCapacity && limits.every(isPassable);
  return { what, code, text: problemText(error), canOverride, fits: fitting(limits, row) };
}

/** The pieces of the row that fit the limits; pieces already in the bin stay. */
function fitting(limits: readonly Limit[], row: Row): number | null {
  if (limits.length === 0) return null;
  const there = row.known?.isStowed ? row.known.quantity : 0;
  const share = Math.min(
    ...limits.map(({ limit = "", room, wanted }) =>
      COUNTED.has(limit) && Number(wanted) > 0 ? Number(room) / Number(wanted) : 0,
    ),
  );
  // Weights have four decimal places.
  return there + Math.max(0, Math.floor((row.quantity - there) * share + 1e-6));
}

/** The limits that fewer pieces would keep; the others concern each piece, or all pieces. */
const COUNTED: ReadonlySet<string> = new Set(["max_item_count", "max_total_weight"]);

type Limit = {
  limit?: string;
  room?: string | number;
  wanted?: string | number;
  can_override?: boolean;
};
type Refusal = Limit & { failed?: { limits?: Limit[] }[] };

/** The limits that caused a refusal: of one location, or of each item of an operation. */
function limitsOf(error: unknown): Limit[] {
  return rowsWith<Refusal>(memberOf(error, "data")).flatMap(
    (refusal) => refusal.failed?.flatMap(({ limits = [] }) => limits) ?? [refusal],
  );
}

const isPassable = (limit: Limit) => limit.can_override !== false;
