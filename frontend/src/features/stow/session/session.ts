/**
 * The rows that this session added. Each has the quantity that the person wants (0: none after all)
 * and the quantity that the server is known to have. The sender (sender.ts) makes the second equal
 * to the first.
 */

import type { BatchHead, CatalogItem, ColorOption, CustomItem } from "@/features/catalog/public";
import type { Bin } from "@/features/locations/public";
import type { ItemType } from "@/shared/lib/itemTypes";
import { type Worth, worthOf } from "@/shared/lib/worth";
import { type Condition, isBulk } from "../model";

/** The added lot; it does not change once the row exists. */
export type Draft = {
  batchId: number;
  batchName: string;
  /** The batch's pieces of it at the time of the add, as far as the page knew. */
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
  /** Decimal text per piece; null: the server sets 0. */
  price: string | null;
  /** The skipped piece that was identified: its row becomes this one. */
  settles?: number;
};

export const batchOfDraft = ({ id, name, batch_item_item_count: pieces }: BatchHead) => ({
  batchId: id,
  batchName: name,
  batchPieces: pieces,
});

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
    ...batchOfDraft(batch),
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

/** The draft of an item that the catalogue lacks, named for people. */
export function draftOfCustom(batch: BatchHead, custom: CustomItem, condition: Condition): Draft {
  return {
    ...batchOfDraft(batch),
    lotId: null,
    itemNumber: custom.number,
    itemName: custom.name,
    itemType: custom.type,
    imageUrl: null,
    colorId: custom.colorId,
    colorName: custom.colorName,
    colorHtml: custom.colorHtml,
    condition,
    price: null,
  };
}

/** The server's state of a row, as far as this page knows. */
export type Known = {
  id: number;
  quantity: number;
  binId: number | null;
  isStowed: boolean;
};

/** A refusal: the server's sentence, and whether a person may override it with a reason. */
export type Problem = {
  what: Difference;
  code: string;
  text: string;
  canOverride: boolean;
  /** The pieces of the row that fit its bin; null where the refusal is not about room. */
  fits: number | null;
};

export type Row = {
  /** Our own number, used before the server has assigned one. */
  key: string;
  draft: Draft;
  /** In milliseconds. */
  addedAt: number;
  /** The batch's pieces before this session; 0 for rows added in it. */
  startedWith: number;
  quantity: number;
  bin: Bin | null;
  /** Stowed into the bin at once (direct), not only planned for it. */
  stow: boolean;
  /** The reason for exceeding the bin's limits; the ledger keeps it. */
  overrideReason: string;
  known: Known | null;
  problem: Problem | null;
};

/** A person's change of the quantity of a row, by the row's key. */
export type QuantityChange = { row: string; before: number; after: number };

export type Session = {
  /** Newest first. */
  rows: readonly Row[];
  /** The server cannot be reached: what it lacks is sent later. */
  isAway: boolean;
  /** The times of the first and the last act in milliseconds, for the pace. */
  startedAt: number | null;
  actedAt: number | null;
};

export const emptySession: Session = {
  rows: [],
  isAway: false,
  startedAt: null,
  actedAt: null,
};

export type Added = { key: string; draft: Draft; quantity: number; bin: Bin | null; stow: boolean };

/**
 * The session with a new row that has no pieces yet. `now` in milliseconds: rows are ordered by the
 * time of the add, which may be earlier than that of the newest row if the item had to be looked up
 * first.
 */
export function withRow(session: Session, added: Omit<Added, "quantity">, now: number): Session {
  const { key, draft, bin, stow } = added;
  const row: Row = {
    ...{ key, draft, bin, stow },
    quantity: 0,
    addedAt: now,
    startedWith: 0,
    overrideReason: "",
    known: null,
    problem: null,
  };
  const later = session.rows.filter((each) => each.addedAt > now);
  return { ...session, rows: [...later, row, ...session.rows.slice(later.length)] };
}

/** Whether an add is of this row: the same lot, condition, price and bin of a batch. */
export function isEqual(row: Row, { draft, bin, stow }: Omit<Added, "key" | "quantity">): boolean {
  const { price, settles } = row.draft;
  if (row.quantity === 0 || row.problem || row.overrideReason || settles || draft.settles) {
    return false;
  }
  return (
    IDENTITY.every((name) => row.draft[name] === draft[name]) &&
    (price === null || draft.price === null
      ? price === draft.price
      : Number(price) === Number(draft.price)) &&
    row.bin?.id === bin?.id &&
    row.stow === stow &&
    (stow || !row.known?.isStowed)
  );
}

const IDENTITY = [
  "batchId",
  "lotId",
  "itemType",
  "itemNumber",
  "itemName",
  "colorId",
  "condition",
] as const;

/** The session with a row among those of this time, as more was added to it. */
export function touched(session: Session, key: string, now: number): Session {
  const later = changed(session, key, ({ addedAt }) => ({ addedAt: Math.max(addedAt, now) }));
  return { ...later, rows: newestFirst(later.rows) };
}

/**
 * Rows from before this session: they are shown and can be changed, but are no steps of the
 * session.
 */
export function withEarlier(session: Session, rows: readonly Row[]): Session {
  const here = new Set(session.rows.map((row) => row.known?.id));
  const earlier = rows.filter(({ known }) => {
    if (!known || here.has(known.id)) return false;
    here.add(known.id);
    return true;
  });
  return { ...session, rows: newestFirst([...session.rows, ...earlier]) };
}

export const newestFirst = (rows: readonly Row[]) => rows.toSorted((a, b) => b.addedAt - a.addedAt);

/**
 * Rows as the next page shows them: those that are sent are from before its session. The pieces of
 * the unsent ones count there as added, so the batch's pieces are those without them.
 */
export function fromBefore(session: Session, rows: readonly Row[], unsent: ReadonlySet<string>) {
  const back = { ...session, rows: session.rows.filter(({ key }) => unsent.has(key)) };
  const pieces = new Map<number, number>();
  for (const id of new Set(rows.map(({ draft }) => draft.batchId)))
    pieces.set(id, piecesNow(session, id) - piecesAdded(back, id));
  return rows.map((row): Row => {
    const startedWith = unsent.has(row.key) ? row.startedWith : row.quantity;
    const batchPieces = pieces.get(row.draft.batchId) ?? 0;
    return { ...row, startedWith, draft: { ...row.draft, batchPieces } };
  });
}

/** The batch's pieces as the server counts them, when it has all rows of the session. */
export function withBatchPieces(session: Session, batchId: number, pieces: number): Session {
  const batchPieces = pieces - piecesAdded(session, batchId);
  const rows = session.rows.map((row) =>
    row.draft.batchId === batchId ? { ...row, draft: { ...row.draft, batchPieces } } : row,
  );
  return { ...session, rows };
}

/** The session after an act of the person at this time. */
export const acted = (session: Session, now: number): Session => ({
  ...session,
  startedAt: session.startedAt ?? now,
  actedAt: now,
});

/** The session with the quantities that a person wants. Their refusals no longer count. */
export function withChanges(session: Session, changes: readonly QuantityChange[]): Session {
  return changes.reduce(
    (now, { row, after }) => changed(now, row, () => ({ quantity: after, problem: null })),
    session,
  );
}

/**
 * Another tab or page changed the server's quantity: the difference is added to the wanted one.
 * `shifted` does the same to the quantities of the undo steps. Their `bin` counts where this page
 * chose no other one.
 */
export function withTheirs(session: Session, key: string, theirs: Known, bin?: Bin | null) {
  const had = session.rows.find((row) => row.key === key)?.known?.quantity ?? theirs.quantity;
  const shifted = (quantity: number) => Math.max(0, quantity + theirs.quantity - had);
  const next = changed(session, key, ({ quantity, startedWith, draft, bin: ours, known }) => ({
    known: theirs,
    quantity: shifted(quantity),
    startedWith: startedWith > 0 || isBulk(draft) ? shifted(startedWith) : 0,
    ...(bin !== undefined && (ours?.id ?? null) === known?.binId && { bin }),
  }));
  return { session: next, shifted };
}

/** Sets another bin for a row, or the same bin with a reason for exceeding its limits. */
export function withBin(session: Session, key: string, bin: Bin | null, reason = ""): Session {
  return changed(session, key, () => ({ bin, overrideReason: reason, problem: null }));
}

export function changed(
  session: Session,
  key: string,
  changes: (row: Row) => Partial<Row>,
): Session {
  const rows = session.rows.map((row) => (row.key === key ? { ...row, ...changes(row) } : row));
  return { ...session, rows };
}

/** The next call to the server for a row, or null when it is up to date. */
export type Difference = "add" | "remove" | "quantity" | "bin" | "stow" | "unstow";

export function difference(
  row: Pick<Row, "quantity" | "bin" | "stow" | "draft"> & { known: Omit<Known, "id"> | null },
): Difference | null {
  const { known, quantity, bin, stow, draft } = row;
  if (!known) return quantity > 0 ? "add" : null;
  // A settled piece comes out of stock before it is a skipped one again.
  if (quantity === 0) return draft.settles && known.isStowed ? "unstow" : "remove";
  if (known.quantity !== quantity) return "quantity";
  const binId = bin?.id ?? null;
  if (!known.isStowed && known.binId !== binId) return "bin";
  return stow && binId !== null && !known.isStowed ? "stow" : null;
}

/** The state of a row, in one word for its mark. */
export type Standing = "saved" | "sending" | "unsent" | "failed" | "gone";

export function standing(row: Row, isAway: boolean): Standing {
  if (row.problem) return "failed";
  if (difference(row)) return isAway ? "unsent" : "sending";
  return row.quantity > 0 ? "saved" : "gone";
}

/** The part of the session for one batch; without a batch, the whole session. */
export function inBatch(session: Session, batchId: number | null): Session {
  if (batchId === null) return session;
  return { ...session, rows: session.rows.filter((row) => row.draft.batchId === batchId) };
}

/** The visible rows: newest first, without undone ones. */
export function shownRows(session: Session, limit: number): Row[] {
  return session.rows.filter((row) => row.quantity > 0 || row.problem).slice(0, limit);
}

/** The row that `+` and `-` change: the newest that was neither undone nor refused. */
export function lastRow(session: Session): Row | null {
  return session.rows.find((row) => row.quantity > 0 && row.problem?.what !== "add") ?? null;
}

/** The last used bin: the next bin should be near it. */
export function lastBinName(session: Session): string {
  return session.rows.find((row) => row.quantity > 0 && row.bin)?.bin?.name ?? "";
}

export type Counters = {
  pieces: number;
  lots: number;
  /** Pieces in the bulk tray, which are one lot of the batch. */
  bulk: number;
  perMinute: number | null;
  worth: Worth;
};

/** Below this number the pace is not meaningful. */
const PACE_FROM_MS = 20_000;

/** What this session added, without refused rows. A lot is a row of the batch that got pieces. */
export function counters(session: Session): Counters {
  const added = session.rows.filter((row) => row.problem?.what !== "add");
  const loose = added.filter(({ draft }) => isBulk(draft));
  const bulk = loose.reduce((sum, row) => sum + Math.max(0, row.quantity - row.startedWith), 0);
  const grown = added.filter((row) => row.quantity > row.startedWith);
  const pieces = grown.reduce((sum, row) => sum + row.quantity - row.startedWith, 0);
  const worth = worthOf(
    grown
      .filter(({ draft }) => !isBulk(draft))
      .map(({ quantity, startedWith, draft }) => ({
        quantity: quantity - startedWith,
        price: draft.price,
      })),
  );
  const elapsed = (session.actedAt ?? 0) - (session.startedAt ?? 0);
  const perMinute = elapsed >= PACE_FROM_MS ? pieces / (elapsed / 60_000) : null;
  return { pieces, lots: grown.length, bulk, perMinute, worth };
}

/** The batch's pieces now: those at the first add, and those that the session added. */
export function piecesNow(session: Session, batchId: number): number {
  const oldest = session.rows.findLast(({ draft }) => draft.batchId === batchId);
  return Math.max(0, (oldest?.draft.batchPieces ?? 0) + piecesAdded(session, batchId));
}

/** The pieces that this session added to one batch. */
export function piecesAdded(session: Session, batchId: number): number {
  return session.rows
    .filter((row) => row.draft.batchId === batchId && row.problem?.what !== "add")
    .reduce((sum, row) => sum + row.quantity - row.startedWith, 0);
}
