/**
 * Carries the session's wishes out, one request at a time and oldest row first, until the server
 * has what the person wants. One lane keeps the order of the batch and makes an add and its undo
 * never race. A refusal stays with its row; a server that cannot be reached stops the lane, which
 * goes on by itself.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import { type ApiError, RetriesExhaustedError } from "@/shared/api/errors";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { problemText } from "@/shared/lib/problem";
import {
  changed,
  type Difference,
  difference,
  emptySession,
  type Known,
  type Problem,
  type Row,
  type Session,
} from "./session";
import { cameBack, type Keeper, type Kept, type SentCall, unsentRows } from "./unsent";

/** The calls that rows need; `key` makes a repeated call the same call to the server. */
export type StowPort = {
  add: (row: Row, key: string, onTrouble: () => void) => Promise<Known>;
  change: (row: Row, changes: { quantity?: number; binId?: number | null }) => Promise<Known>;
  stow: (row: Row, key: string) => Promise<Known>;
  /** Whether what is stowed now is put up for sale too. */
  listsToo?: () => boolean;
  remove: (row: Row) => Promise<void>;
};

export type Outcome = { row: Row; did: Difference; problem: Problem | null };

/** Until an unreachable server is tried again. */
export const TRY_AGAIN_MS = 15_000;

export type StowSession = {
  store: StoreApi<Session>;
  /** Applies a change of wishes and begins to carry it out. */
  wish: (change: (session: Session) => Session) => void;
  /** Tries again at once what could not be sent. */
  sendNow: () => void;
  /** Tries a refused row again. */
  retry: (key: string) => void;
  /** Hears of each finished call. Returns how to stop. */
  onOutcome: (listener: (outcome: Outcome) => void) => () => void;
  /** Takes over what was left unsent, by this tab before a reload or by one that is gone. */
  resume: () => Promise<void>;
  forget: () => void;
};

/** Without a keeper what is unsent ends with the page. */
export function createStowSession(port: StowPort, keeper?: Keeper<Kept>): StowSession {
  const store = createStore<Session>(() => emptySession);
  const listeners = new Set<(outcome: Outcome) => void>();
  /** What was sent for each creation, kept until its outcome is known: a repeated add must be the
   * same to the letter, or the server takes it for another one. */
  const sent = new Map<string, SentCall>();
  let working = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let era = 0;

  const set = (key: string, changes: (row: Row) => Partial<Row>) =>
    store.setState((session) => changed(session, key, changes), true);

  const keep = () => {
    const rows = unsentRows(store.getState());
    keeper?.keep(rows.length + sent.size === 0 ? null : { rows, sent: [...sent] });
  };
  store.subscribe(keep);

  /** The call of this name as it was first sent. */
  function firstSent(name: string, row: Row): SentCall {
    const first = sent.get(name) ?? { row, key: newIdempotencyKey() };
    sent.set(name, first);
    keep();
    return first;
  }

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    clearTimeout(timer);
    const mine = era;
    try {
      for (let row = nextRow(store.getState()); row && mine === era; ) {
        if (!(await carryOut(row, mine))) break;
        row = nextRow(store.getState());
      }
    } finally {
      working = false;
    }
    if (mine !== era) void work();
  }

  /** One call for one row. False when the server cannot be reached. */
  async function carryOut(row: Row, mine: number): Promise<boolean> {
    const did = difference(row);
    if (!did) return true;
    set(row.key, () => ({ sending: true }));
    try {
      const known = await call(row, did);
      if (mine !== era) return true;
      set(row.key, () => ({ known, sending: false, unsent: false }));
      allowUnsent();
      tell({ row: found(row), did, problem: null });
      return true;
    } catch (error) {
      if (mine !== era) return true;
      if (isUnreachable(error)) {
        set(row.key, () => ({ sending: false, unsent: true }));
        timer = setTimeout(sendNow, TRY_AGAIN_MS);
        return false;
      }
      sent.delete(did === "stow" ? stowingOf(row) : creationOf(row));
      const problem = problemOf(error, did, row);
      // A wish that changed meanwhile is a new try; the refusal was about the old one.
      set(row.key, (now) => ({
        sending: false,
        unsent: false,
        inDoubt: false,
        problem: now.quantity === row.quantity && now.bin === row.bin ? problem : null,
      }));
      tell({ row: found(row), did, problem });
      return true;
    }
  }

  async function call(row: Row, did: Difference): Promise<Known | null> {
    switch (did) {
      case "add": {
        const creation = creationOf(row);
        const first = firstSent(creation, row);
        set(row.key, () => ({ inDoubt: true }));
        const trouble = () => set(row.key, () => ({ unsent: true }));
        const known = await port.add(first.row, first.key, trouble);
        sent.delete(creation);
        set(row.key, () => ({ inDoubt: false }));
        return known;
      }
      case "quantity":
        return port.change(row, { quantity: row.quantity });
      case "bin":
        return port.change(row, { binId: row.bin?.id ?? null });
      case "stow": {
        const first = firstSent(stowingOf(row), { ...row, list: port.listsToo?.() ?? false });
        const known = await port.stow(first.row, first.key);
        sent.delete(stowingOf(row));
        return known;
      }
      case "remove":
        await port.remove(row);
        set(row.key, ({ creation }) => ({ creation: creation + 1 }));
        return null;
    }
  }

  const found = (row: Row) => store.getState().rows.find((each) => each.key === row.key) ?? row;
  const tell = (outcome: Outcome) => {
    for (const listener of listeners) listener(outcome);
  };

  /** The server answers: what waited for it has its turn. */
  function allowUnsent(): void {
    for (const row of store.getState().rows) {
      if (row.unsent && !row.sending) set(row.key, () => ({ unsent: false }));
    }
  }

  function sendNow(): void {
    allowUnsent();
    void work();
  }

  return {
    store,
    sendNow,
    wish: (change) => {
      store.setState(change, true);
      void work();
    },
    retry: (key) => {
      set(key, () => ({ problem: null, unsent: false }));
      void work();
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
      void work();
    },
    forget: () => {
      era += 1;
      clearTimeout(timer);
      sent.clear();
      store.setState(emptySession, true);
    },
  };
}

/** The oldest row that differs and is not stopped by a refusal. */
function nextRow({ rows }: Session): Row | undefined {
  return rows.findLast((row) => !row.problem && !row.unsent && difference(row) !== null);
}

const creationOf = (row: Row) => `${row.key} ${row.creation}`;
const stowingOf = (row: Row) => `${creationOf(row)} stow`;

/** It may work later without anybody changing anything: no connection, time over, server down. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof RetriesExhaustedError) return true;
  return Boolean((error as Partial<ApiError> | null)?.failure);
}

function problemOf(error: unknown, what: Difference, row: Row): Problem {
  const { code = "" } = (error ?? {}) as Partial<ApiError>;
  const isCapacity = code === "CAPACITY_EXCEEDED";
  const limits = isCapacity ? limitsOf(error) : [];
  const canOverride = isCapacity && limits.every(isPassable);
  return { what, code, text: problemText(error), canOverride, fits: fitting(limits, row) };
}

/** Pieces of the row that the limits leave room for; what lies there already stays. */
function fitting(limits: readonly Limit[], row: Row): number | null {
  if (limits.length === 0) return null;
  const there = row.known?.isStowed ? row.known.quantity : 0;
  const share = Math.min(
    ...limits.map(({ limit = "", room, wanted }) =>
      COUNTED.has(limit) && Number(wanted) > 0 ? Number(room) / Number(wanted) : 0,
    ),
  );
  // Weights are kept to a ten-thousandth of a gram.
  return there + Math.max(0, Math.floor((row.quantity - there) * share + 1e-6));
}

/** The limits that fewer pieces keep; the others are about each piece, or about all. */
const COUNTED: ReadonlySet<string> = new Set(["max_item_count", "max_total_weight"]);

type Limit = {
  limit?: string;
  room?: string | number;
  wanted?: string | number;
  can_override?: boolean;
};
type Refusal = Limit & { failed?: { limits?: Limit[] }[] };

/** The limits that stood in the way: of one location, or of each item of an operation. */
function limitsOf(error: unknown): Limit[] {
  const { data = [] } = error as Partial<ApiError>;
  return (data as Refusal[]).flatMap(
    (refusal) => refusal.failed?.flatMap(({ limits = [] }) => limits) ?? [refusal],
  );
}

const isPassable = (limit: Limit) => limit.can_override !== false;
