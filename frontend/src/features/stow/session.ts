/**
 * The adds of this sitting, as wishes: each row says how many pieces the person wants of it (0:
 * none after all) and what the server is known to hold. Whoever carries wishes out (sender.ts)
 * only has to make the second equal to the first, so quick presses melt together, an undo during
 * a request is no special case, and what could not be sent is simply still different.
 */

import type { CatalogItem, ColorOption } from "@/features/catalog/public";
import type { ItemType } from "@/shared/lib/itemTypes";
import { type Worth, worthOf } from "@/shared/lib/worth";
import { type BatchHead, type Condition, isBulk } from "./model";

/** What is added; it does not change once the row is there. */
export type Draft = {
  batchId: number;
  batchName: string;
  /** Pieces that the batch had when this was added, as far as the page knew. */
  batchPieces: number;
  lotId: number | null;
  itemNumber: string;
  itemName: string;
  itemType: ItemType;
  imageUrl: string | null;
  colorId: number;
  colorName: string;
  colorHtml: string | null;
  condition: Condition;
  /** Decimal text per piece; null lets the server leave it at 0. */
  price: string | null;
  /** The skipped piece that it turned out to be: its row becomes this one. */
  settles?: number;
};

/** The draft of an item in a colour, for a batch. */
export function draftOf(given: {
  batch: BatchHead;
  item: CatalogItem;
  color: ColorOption;
  condition: Condition;
  price: string | null;
}): Draft {
  const { batch, item, color, condition, price } = given;
  return {
    batchId: batch.id,
    batchName: batch.name,
    batchPieces: batch.batch_item_item_count,
    lotId: color.lotId,
    itemNumber: item.item_number,
    itemName: item.item_name,
    itemType: item.item_type,
    imageUrl: color.imageUrl ?? item.image_url,
    colorId: color.colorId,
    colorName: color.name,
    colorHtml: color.html,
    condition,
    price,
  };
}

export type Bin = { id: number; name: string };

/** What the server has of a row, and since when: another tab may change it too. */
export type Known = {
  id: number;
  quantity: number;
  binId: number | null;
  isStowed: boolean;
  updatedAt: string;
};

/** A refusal: the server's sentence, and whether a person may pass it with a reason. */
export type Problem = {
  what: Difference;
  code: string;
  text: string;
  canOverride: boolean;
  /** Pieces of the row that its bin does take; null where it is not about room. */
  fits: number | null;
};

export type Row = {
  /** Ours, from before the server had a number for it. */
  key: string;
  draft: Draft;
  /** In milliseconds. */
  addedAt: number;
  /** Pieces that were in the batch before this sitting; 0 for what is added in it. */
  startedWith: number;
  quantity: number;
  bin: Bin | null;
  /** Goes into the bin at once (direct), not only planned for it. */
  stow: boolean;
  /** Is put up for sale in the same act as it is stowed. */
  list?: boolean;
  /** Passes the bin's limits; the ledger keeps it. */
  overrideReason: string;
  known: Known | null;
  /** Counts creations: a row made again after an undo is another one to the server. */
  creation: number;
  /** What was sent and its outcome is not known: it is sent again first, even if unwanted now. */
  inDoubt: Difference | null;
  sending: boolean;
  /** It could not reach the server, and is tried again by itself. */
  unsent: boolean;
  problem: Problem | null;
};

/** One act of the person: the wish for one row went from so many pieces to so many. */
export type Step = { key: string; from: number; to: number };

export type Session = {
  /** Newest first. */
  rows: readonly Row[];
  past: readonly Step[];
  future: readonly Step[];
  /** When the first and the last act were, in milliseconds: the pace is measured between them. */
  startedAt: number | null;
  actedAt: number | null;
};

export const emptySession: Session = {
  rows: [],
  past: [],
  future: [],
  startedAt: null,
  actedAt: null,
};

/** Steps that can be taken back. */
export const HISTORY = 50;

export type Added = { key: string; draft: Draft; quantity: number; bin: Bin | null; stow: boolean };

/**
 * A new row, as one step. `now` in milliseconds: rows stand by when they were asked for, which one
 * that had to be looked up first may be earlier than the newest.
 */
export function withAdded(session: Session, added: Added, now: number): Session {
  const row: Row = {
    ...added,
    quantity: 0,
    addedAt: now,
    startedWith: 0,
    overrideReason: "",
    known: null,
    creation: 0,
    inDoubt: null,
    sending: false,
    unsent: false,
    problem: null,
  };
  const later = session.rows.filter((each) => each.addedAt > now);
  const rows = [...later, row, ...session.rows.slice(later.length)];
  return taken({ ...session, rows }, { key: added.key, from: 0, to: added.quantity }, now);
}

/** Rows that the server had before this sitting: shown and changeable, but no steps of ours. */
export function withEarlier(session: Session, rows: readonly Row[]): Session {
  const here = new Set(session.rows.map((row) => row.known?.id));
  const earlier = rows.filter(({ known }) => {
    if (!known || here.has(known.id)) return false;
    here.add(known.id);
    return true;
  });
  return { ...session, rows: [...session.rows, ...earlier] };
}

/** The row's pieces become `quantity` (at least 0), as one step. */
export function withQuantity(
  session: Session,
  key: string,
  quantity: number,
  now: number,
): Session {
  const row = session.rows.find((each) => each.key === key);
  const to = Math.max(0, quantity);
  if (!row || row.quantity === to) return session;
  return taken(session, { key, from: row.quantity, to }, now);
}

function taken(session: Session, step: Step, now: number): Session {
  const past = [...session.past, step].slice(-HISTORY);
  const startedAt = session.startedAt ?? now;
  return { ...wished(session, step.key, step.to), past, future: [], startedAt, actedAt: now };
}

export function undone(session: Session): Session {
  const step = session.past.at(-1);
  if (!step) return session;
  const past = session.past.slice(0, -1);
  return { ...wished(session, step.key, step.from), past, future: [...session.future, step] };
}

export function redone(session: Session): Session {
  const step = session.future.at(-1);
  if (!step) return session;
  const future = session.future.slice(0, -1);
  return { ...wished(session, step.key, step.to), past: [...session.past, step], future };
}

/** A new wish is a new try: what stood in its way before is forgotten. */
function wished(session: Session, key: string, quantity: number): Session {
  return changed(session, key, () => ({ quantity, problem: null, unsent: false }));
}

/**
 * The server has another number of pieces than was known, by another tab or page: what is wanted
 * here is wanted on top of that, and so is what undo goes back to.
 */
export function withTheirs(session: Session, key: string, theirs: Known): Session {
  const had = session.rows.find((row) => row.key === key)?.known?.quantity ?? theirs.quantity;
  const shifted = (quantity: number) => Math.max(0, quantity + theirs.quantity - had);
  const moved = (step: Step) =>
    step.key === key ? { key, from: shifted(step.from), to: shifted(step.to) } : step;
  const { rows } = changed(session, key, ({ quantity, startedWith, draft }) => ({
    known: theirs,
    quantity: shifted(quantity),
    startedWith: startedWith > 0 || isBulk(draft) ? shifted(startedWith) : 0,
  }));
  return { ...session, rows, past: session.past.map(moved), future: session.future.map(moved) };
}

/** Another bin for a row, or the same with a reason to pass its limits. */
export function withBin(session: Session, key: string, bin: Bin | null, reason = ""): Session {
  return changed(session, key, () => ({
    bin,
    overrideReason: reason,
    problem: null,
    unsent: false,
  }));
}

/** Only `here` pieces stay in the row's bin; the others become a row of their own, for `bin`. */
export function withSplit(
  session: Session,
  key: string,
  to: { here: number; newKey: string; bin: Bin },
  now: number,
): Session {
  const row = session.rows.find((each) => each.key === key);
  const rest = row ? row.quantity - to.here : 0;
  if (!row || rest < 1 || to.here < 1) return session;
  const { draft, stow } = row;
  const added = { key: to.newKey, draft, quantity: rest, bin: to.bin, stow };
  return withAdded(withQuantity(session, key, to.here, now), added, now);
}

export function changed(
  session: Session,
  key: string,
  changes: (row: Row) => Partial<Row>,
): Session {
  const rows = session.rows.map((row) => (row.key === key ? { ...row, ...changes(row) } : row));
  return { ...session, rows };
}

/** What has to be sent to the server next for a row, or null when it knows everything. */
export type Difference = "add" | "remove" | "quantity" | "bin" | "stow";

export function difference(row: Row): Difference | null {
  const { known, quantity, bin, stow, inDoubt } = row;
  if (!known) return quantity > 0 || inDoubt ? "add" : null;
  if (inDoubt) return inDoubt;
  if (quantity === 0) return "remove";
  if (known.quantity !== quantity) return "quantity";
  const binId = bin?.id ?? null;
  if (!known.isStowed && known.binId !== binId) return "bin";
  return stow && binId !== null && !known.isStowed ? "stow" : null;
}

/** How a row stands, in one word for its mark. */
export type Standing = "saved" | "sending" | "unsent" | "failed" | "gone";

export function standing(row: Row): Standing {
  if (row.problem) return "failed";
  if (row.unsent) return "unsent";
  if (difference(row)) return "sending";
  return row.quantity > 0 ? "saved" : "gone";
}

/** The sitting as one batch sees it. Without a batch all of it. */
export function inBatch(session: Session, batchId: number | null): Session {
  if (batchId === null) return session;
  return { ...session, rows: session.rows.filter((row) => row.draft.batchId === batchId) };
}

/** The rows a person sees: newest first, without those that were taken back. */
export function shownRows(session: Session, limit: number): Row[] {
  return session.rows.filter((row) => row.quantity > 0 || row.problem).slice(0, limit);
}

/** The row that `+` and `-` change: the newest that was not taken back nor refused. */
export function lastRow(session: Session): Row | null {
  return session.rows.find((row) => row.quantity > 0 && row.problem?.what !== "add") ?? null;
}

/** The bin that was gone to last: the next one had better be near it. */
export function lastBinName(session: Session): string {
  return session.rows.find((row) => row.quantity > 0 && row.bin)?.bin?.name ?? "";
}

export type Counters = {
  pieces: number;
  lots: number;
  /** Pieces that went into the bulk tray: among the pieces, and no lot. */
  bulk: number;
  perMinute: number | null;
  worth: Worth;
};

/** Below this the pace says nothing yet. */
const PACE_FROM_MS = 20_000;

/** What this sitting brought: not what could not be added, nor what was there before. */
export function counters(session: Session): Counters {
  const added = session.rows.filter((row) => row.problem?.what !== "add");
  const loose = added.filter(({ draft }) => isBulk(draft));
  const bulk = loose.reduce((sum, row) => sum + Math.max(0, row.quantity - row.startedWith), 0);
  const rows = added.filter((row) => !isBulk(row.draft) && !isEarlier(row) && row.quantity > 0);
  const pieces = bulk + rows.reduce((sum, row) => sum + row.quantity, 0);
  const worth = worthOf(rows.map(({ quantity, draft }) => ({ quantity, price: draft.price })));
  const elapsed = (session.actedAt ?? 0) - (session.startedAt ?? 0);
  const perMinute = elapsed >= PACE_FROM_MS ? pieces / (elapsed / 60_000) : null;
  return { pieces, lots: rows.length, bulk, perMinute, worth };
}

const isEarlier = (row: Row) => row.startedWith > 0;

/** Pieces that this sitting brought to one batch. */
export function piecesAdded(session: Session, batchId: number): number {
  return session.rows
    .filter((row) => row.draft.batchId === batchId && row.problem?.what !== "add")
    .reduce((sum, row) => sum + row.quantity - row.startedWith, 0);
}
