/**
 * Sends the session's wishes, one request at a time and the oldest row first, until the server
 * matches them. One queue keeps the batch's order and prevents a race between an add and its undo.
 * A refusal stays at its row; if the server cannot be reached, the queue stops and retries by
 * itself.
 */

import { createStore, type StoreApi } from "zustand/vanilla";
import type { ApiError } from "@/shared/api/errors";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import type { Keeper } from "@/shared/lib/keeper";
import { problemText } from "@/shared/lib/problem";
import { waitsFor } from "@/shared/outbox/reach";
import { createSendLoop, type Step } from "@/shared/outbox/sendLoop";
import {
  changed,
  type Difference,
  difference,
  emptySession,
  type Known,
  type Problem,
  type Row,
  type Session,
  withTheirs,
} from "./session";
import { cameBack, type Kept, type SentCall, unsentRows } from "./unsent";

/** The calls for rows. A repeated call has the same `key`, so the server carries it out once. */
export type StowPort = {
  add: (row: Row, key: string, onTrouble: () => void) => Promise<Known>;
  /** Fails with ChangedElsewhere if the server's row differs from the known one. */
  change: (row: Row, changes: RowChanges, key: string) => Promise<Known>;
  stow: (row: Row, key: string) => Promise<Known>;
  /** Whether stowed pieces are listed too. */
  listsToo?: () => boolean;
  remove: (row: Row) => Promise<void>;
};

export type RowChanges = { quantity?: number; binId?: number | null };

/** Another tab or page changed the row meanwhile; nothing was changed by this call. */
export class ChangedElsewhere extends Error {
  override readonly name = "ChangedElsewhere";
  constructor(readonly known: Known) {
    super("The row was changed elsewhere.");
  }
}

export type Outcome = { row: Row; did: Difference; problem: Problem | null };

export type StowSession = {
  store: StoreApi<Session>;
  /** Applies a change of wishes and starts sending. */
  wish: (change: (session: Session) => Session) => void;
  /** Retries unsent calls at once. */
  sendNow: () => void;
  /** Retries a refused row. */
  retry: (key: string) => void;
  /** Calls back after each finished call. Returns a function that stops it. */
  onOutcome: (listener: (outcome: Outcome) => void) => () => void;
  /** Takes over unsent rows, of this tab before a reload or of a closed tab. */
  resume: () => Promise<void>;
  forget: () => void;
};

/** Without a keeper, unsent rows are lost with the page. */
export function createStowSession(port: StowPort, keeper?: Keeper<Kept>): StowSession {
  const store = createStore<Session>(() => emptySession);
  const listeners = new Set<(outcome: Outcome) => void>();
  /**
   * The sent calls, kept until their results are known: a repeated call must be identical, or the
   * server treats it as another one.
   */
  const sent = new Map<string, SentCall>();

  const set = (key: string, changes: (row: Row) => Partial<Row>) =>
    store.setState((session) => changed(session, key, changes), true);

  const keep = () => {
    const rows = unsentRows(store.getState());
    keeper?.keep(rows.length + sent.size === 0 ? null : { rows, sent: [...sent] });
  };
  store.subscribe(keep);

  /** The call as it was first sent. */
  function firstSent(did: Difference, row: Row): SentCall {
    const name = nameOf(row, did);
    const first = sent.get(name) ?? { row, key: newIdempotencyKey() };
    sent.set(name, first);
    keep();
    return first;
  }

  const loop = createSendLoop(async (isCurrent) => {
    const row = nextRow(store.getState());
    return row ? carryOut(row, isCurrent) : "nothing left";
  }, allowUnsent);

  /** Sends one call for one row. */
  async function carryOut(row: Row, isCurrent: () => boolean): Promise<Step> {
    const did = difference(row);
    if (!did) return "sent";
    set(row.key, () => ({ sending: true, inDoubt: did }));
    try {
      const known = await call(row, did);
      if (!isCurrent()) return "sent";
      sent.delete(nameOf(row, did));
      take(row.key, did, known);
      allowUnsent();
      tell({ row: found(row), did, problem: null });
      return "sent";
    } catch (error) {
      if (!isCurrent()) return "sent";
      if (waitsFor(error)) {
        set(row.key, () => ({ sending: false, unsent: true }));
        return "away";
      }
      sent.delete(nameOf(row, did));
      if (error instanceof ChangedElsewhere) {
        store.setState((session) => withTheirs(session, row.key, error.known), true);
        set(row.key, () => ({ sending: false, unsent: false, inDoubt: null }));
        return "sent";
      }
      const problem = problemOf(error, did, row);
      // The wish changed meanwhile, so it is sent again; the refusal concerned the old one.
      set(row.key, (now) => ({
        sending: false,
        unsent: false,
        inDoubt: null,
        problem: now.quantity === row.quantity && now.bin === row.bin ? problem : null,
      }));
      tell({ row: found(row), did, problem });
      return "sent";
    }
  }

  /** Sets the server's quantity. Pieces that this tab did not send come from another tab. */
  function take(key: string, did: Difference, known: Known | null): void {
    const isWhole = did === "bin" || did === "stow";
    if (known && isWhole) store.setState((session) => withTheirs(session, key, known), true);
    set(key, ({ creation }) => ({
      known,
      creation: did === "remove" ? creation + 1 : creation,
      sending: false,
      unsent: false,
      inDoubt: null,
    }));
  }

  async function call(row: Row, did: Difference): Promise<Known | null> {
    if (did === "remove") {
      await port.remove(row);
      return null;
    }
    const list = did === "stow" && (port.listsToo?.() ?? false);
    const first = firstSent(did, list ? { ...row, list } : row);
    switch (did) {
      case "add": {
        const trouble = () => set(row.key, () => ({ unsent: true }));
        return port.add(first.row, first.key, trouble);
      }
      case "quantity":
        return port.change(first.row, { quantity: first.row.quantity }, first.key);
      case "bin":
        return port.change(first.row, { binId: first.row.bin?.id ?? null }, first.key);
      case "stow":
        return port.stow(first.row, first.key);
    }
  }

  const found = (row: Row) => store.getState().rows.find((each) => each.key === row.key) ?? row;
  const tell = (outcome: Outcome) => {
    for (const listener of listeners) listener(outcome);
  };

  /** The server answers again: waiting rows can be sent. */
  function allowUnsent(): void {
    for (const row of store.getState().rows) {
      if (row.unsent && !row.sending) set(row.key, () => ({ unsent: false }));
    }
  }

  return {
    store,
    sendNow: loop.tryAgain,
    wish: (change) => {
      store.setState(change, true);
      void loop.run();
    },
    retry: (key) => {
      set(key, () => ({ problem: null, unsent: false }));
      void loop.run();
    },
    onOutcome: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    resume: async () => {
      const left = (await keeper?.takeLeft()) ?? [];
      if (left.length === 0) return;
      for (const [name, call] of left.flatMap((kept) => kept.sent)) sent.set(name, call);
      store.setState((session) => {
        const here = new Set(session.rows.map((row) => row.key));
        const rows = left.flatMap((kept) => kept.rows).filter((row) => !here.has(row.key));
        const all = [...session.rows, ...rows.map(cameBack)];
        return { ...session, rows: all.toSorted((a, b) => b.addedAt - a.addedAt) };
      }, true);
      void loop.run();
    },
    forget: () => {
      loop.forget();
      sent.clear();
      store.setState(emptySession, true);
    },
  };
}

/** The oldest row that differs and is not blocked by a refusal. */
function nextRow({ rows }: Session): Row | undefined {
  return rows.findLast((row) => !row.problem && !row.unsent && difference(row) !== null);
}

const nameOf = (row: Row, did: Difference) => `${row.key} ${row.creation} ${did}`;

function problemOf(error: unknown, what: Difference, row: Row): Problem {
  const { code = "" } = (error ?? {}) as Partial<ApiError>;
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
  const { data = [] } = error as Partial<ApiError>;
  return (data as Refusal[]).flatMap(
    (refusal) => refusal.failed?.flatMap(({ limits = [] }) => limits) ?? [refusal],
  );
}

const isPassable = (limit: Limit) => limit.can_override !== false;
