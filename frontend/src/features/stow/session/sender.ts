/**
 * The operations of the station: adds and changes of rows. One call at a time, in the order of the
 * acts: that keeps the batch's order. A refusal stays at its row, for the person to decide.
 */

import { createStore, type StoreApi } from "zustand/vanilla";
import type { Bin } from "@/features/locations/public";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { restated, type Step } from "@/shared/outbox/history";
import { type Call, type Client, Operations } from "@/shared/outbox/operations";
import { isOpenBulk } from "../add/bulk";
import { isBulk } from "../model";
import { tellNotKept } from "./notKept";
import { problemOf } from "./refusal";
import {
  type Added,
  acted,
  changed,
  type Difference,
  difference,
  emptySession,
  fromBefore,
  isEqual,
  type Known,
  newestFirst,
  type Problem,
  type QuantityChange,
  type Row,
  type Session,
  touched,
  withBin,
  withChanges,
  withRow,
  withTheirs,
} from "./session";

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
  constructor(
    readonly known: Known,
    readonly bin: Bin | null,
  ) {
    super("The row was changed elsewhere.");
  }
}

export type Outcome = { row: Row; did: Difference; problem: Problem | null };

/** A call for one row, as the row was when it was sent. */
type RowCall = Call & { did: Difference; row: Row };

type StowClient = Client<
  Step<QuantityChange>,
  QuantityChange,
  RowCall,
  Known | null,
  readonly Row[]
>;

export class StowSession {
  readonly store: StoreApi<Session> = createStore<Session>(() => emptySession);
  private readonly operations;
  private readonly listeners = new Set<(outcome: Outcome) => void>();
  /** The keys of the rows that the server had when the page before ended. */
  private recalled: ReadonlySet<string> = new Set();

  constructor(
    private readonly port: StowPort,
    name = "station",
  ) {
    this.operations = new Operations({ name, inOneTurn: true }, this.client());
    this.store.subscribe(() => this.operations.keep());
    this.operations.outbox.store.subscribe(({ isAway }) => {
      if (isAway !== this.store.getState().isAway) this.store.setState({ isAway });
    });
  }

  private client(): StowClient {
    return {
      show: (changes) => {
        this.set((session) => withChanges(session, changes));
        return due(changes.map(({ row }) => row));
      },
      next: ({ rows }) => this.nextCall(rows),
      send: (call) => this.send(call),
      accepted: (call, known) => this.accepted(call, known),
      refused: (call, error) => this.refused(call, error),
      wanted: () => this.unsentRows(),
      resume: (rows) => this.comeBack(rows),
      remember: (keys) => this.sentRows(new Set(keys)),
      recall: (rows) => {
        this.recalled = keysOf(rows);
        this.bringBack(rows);
      },
      onNotKept: tellNotKept,
      changed: () => undefined,
      forget: () => this.store.setState(emptySession, true),
    };
  }

  // --- acts

  /**
   * Adds pieces at `now`, in milliseconds: to the row of equal ones if there is one, which becomes
   * the newest; else as a new row. What is listed as it is stowed is always a new one.
   */
  add(added: Added, now: number): void {
    const { rows } = this.store.getState();
    const isApart = added.stow && (this.port.listsToo?.() ?? false);
    const open = isApart ? undefined : rows.find((row) => takesMore(row, added));
    if (!open) {
      this.addRow(added, now);
      return;
    }
    this.set((session) => touched(session, open.key, now));
    this.change(open.key, open.quantity + added.quantity, now);
  }

  private addRow(added: Added, now: number): void {
    this.set((session) => acted(withRow(session, added, now), now));
    this.change(added.key, added.quantity, now);
  }

  /** Takes the newest add to a row back; the whole row where it was the only one of this session. */
  takeBack(key: string, now: number): void {
    const row = this.rowOf(key);
    const { done } = this.operations.history;
    const last = done.flatMap(({ changes }) => changes).findLast((one) => one.row === key);
    const added = last ? last.after - last.before : 0;
    if (row) this.setQuantity(key, added > 0 ? row.quantity - added : 0, now);
  }

  /** Sets the row's quantity (at least 0). */
  setQuantity(key: string, quantity: number, now: number): void {
    const row = this.rowOf(key);
    if (row && row.quantity !== Math.max(0, quantity)) this.change(key, quantity, now);
  }

  private change(key: string, quantity: number, now: number): void {
    this.set((session) => acted(session, now));
    const before = this.rowOf(key)?.quantity ?? 0;
    const changes = [{ row: key, before, after: Math.max(0, quantity) }];
    void this.operations.do({ label: "", changes });
  }

  /** Keeps `here` pieces in the row's bin; the others become a row of their own, for `bin`. */
  split(key: string, to: { here: number; newKey: string; bin: Bin }, now: number): void {
    const row = this.rowOf(key);
    const rest = row ? row.quantity - to.here : 0;
    if (!row || rest < 1 || to.here < 1) return;
    const { draft, stow } = row;
    this.setQuantity(key, to.here, now);
    this.addRow({ key: to.newKey, draft, quantity: rest, bin: to.bin, stow }, now);
  }

  /** Sets another bin for a row, or the same bin with a reason for exceeding its limits. */
  setBin(key: string, bin: Bin | null, reason = ""): void {
    this.set((session) => withBin(session, key, bin, reason));
    void this.operations.bring(due([key]));
  }

  /** Stows a row into its bin. */
  stow(key: string): void {
    this.set((session) => changed(session, key, () => ({ stow: true })));
    void this.operations.bring(due([key]));
  }

  undo(now: number): void {
    if (this.operations.history.done.length > 0) this.begin(now);
    void this.operations.undo();
  }

  redo(now: number): void {
    if (this.operations.history.undone.length > 0) this.begin(now);
    void this.operations.redo();
  }

  /** The first act of a page may undo one of the page before. */
  private begin(now: number): void {
    this.set((session) => (session.startedAt === null ? acted(session, now) : session));
  }

  /** Retries a refused row. */
  retry(key: string): void {
    this.set((session) => changed(session, key, () => ({ problem: null })));
    void this.operations.bring(due([key]));
  }

  /** Retries unsent calls at once. */
  sendNow(): void {
    this.operations.outbox.tryAgain();
  }

  /** Calls back after each finished call. Returns a function that stops it. */
  onOutcome(listener: (outcome: Outcome) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Takes over unsent rows, of this tab before a reload or of a closed tab. */
  resume(): Promise<void> {
    return this.operations.resume();
  }

  forget(): void {
    this.operations.forget();
  }

  // --- calls

  private nextCall([key = ""]: readonly string[]): RowCall | null {
    const row = this.rowOf(key);
    const did = row && !row.problem && difference(row);
    if (!row || !did) return null;
    const list = did === "stow" && (this.port.listsToo?.() ?? false);
    const join = did === "add" && this.mayJoin(row);
    const sent = { ...row, ...(list && { list }), ...(join && { join }) };
    return { ...due([key]), key: newIdempotencyKey(), did, row: sent };
  }

  /** Whether an equal row that this page has not loaded takes the pieces of a new one. */
  private mayJoin({ key, draft, bin, stow }: Row): boolean {
    const { lotId, batchId, price, settles } = draft;
    if (lotId === null || price === null || settles || !bin || stow) return false;
    const { rows } = this.store.getState();
    return !rows.some(
      (row) => row.key !== key && row.draft.lotId === lotId && row.draft.batchId === batchId,
    );
  }

  private async send({ key, did, row }: RowCall): Promise<Known | null> {
    const { port } = this;
    switch (did) {
      case "add":
        return port.add(row, key, () => this.operations.outbox.store.setState({ isAway: true }));
      case "quantity":
        return port.change(row, { quantity: row.quantity }, key);
      case "bin":
        return port.change(row, { binId: row.bin?.id ?? null }, key);
      case "stow":
        return port.stow(row, key);
      case "remove":
        await port.remove(row);
        return null;
    }
  }

  private accepted({ did, row: { key } }: RowCall, known: Known | null): void {
    if (known?.joined !== undefined) this.join(key, known, known.joined);
    else if (known && (did === "bin" || did === "stow")) this.takeTheirs(key, known);
    this.set((session) => changed(session, key, () => ({ known })));
    this.tell(key, did, null);
  }

  private refused({ did, row: sent }: RowCall, error: unknown): void {
    if (error instanceof ChangedElsewhere) {
      this.takeTheirs(sent.key, error.known, error.bin);
      return;
    }
    const problem = problemOf(error, did, sent);
    this.set((session) =>
      changed(session, sent.key, ({ quantity, bin }) => ({
        // If the wish changed meanwhile it is sent again: the refusal concerned the old one.
        problem: quantity === sent.quantity && bin?.id === sent.bin?.id ? problem : null,
      })),
    );
    this.tell(sent.key, did, problem);
  }

  /** The pieces of a new row went to one that was there: its own are not of this session. */
  private join(key: string, known: Known, before: number): void {
    const own = { ...known, quantity: known.quantity - before };
    this.set((session) => changed(session, key, () => ({ known: own })));
    this.takeTheirs(key, known);
    this.set((session) => changed(session, key, () => ({ startedWith: before })));
  }

  /** Takes over the server's quantity. Pieces that this tab did not send come from another one. */
  private takeTheirs(key: string, known: Known, bin?: Bin | null): void {
    const { session, shifted } = withTheirs(this.store.getState(), key, known, bin);
    const { operations } = this;
    operations.history = restated(
      operations.history,
      ({ row }: QuantityChange) => row === key,
      shifted,
    );
    this.store.setState(session, true);
  }

  private tell(key: string, did: Difference, problem: Problem | null): void {
    const row = this.rowOf(key);
    if (row) for (const listener of this.listeners) listener({ row, did, problem });
  }

  // --- over a reload

  /** The rows that differ on the server, or whose call is not answered. */
  private unsentRows(): readonly Row[] | null {
    const { waiting } = this.operations.outbox.store.getState();
    const called = new Set(waiting.map(({ row }) => row.key));
    const session = this.store.getState();
    const rows = session.rows.filter((row) => called.has(row.key) || difference(row) !== null);
    return rows.length > 0 ? fromBefore(session, rows, keysOf(rows)) : null;
  }

  private comeBack(left: readonly Row[]) {
    this.bringBack(left);
    return left.toReversed().map((row) => due([row.key]));
  }

  private bringBack(left: readonly Row[]): void {
    this.set((session) => {
      const here = keysOf(session.rows);
      const rows = [...session.rows, ...left.filter((row) => !here.has(row.key))];
      return { ...session, rows: newestFirst(rows) };
    });
  }

  /**
   * Takes over what other pages made of the rows of the page before, as long as this page has done
   * nothing. `last`: the last rows of the batch; `isAll`: it has no others.
   */
  refresh(batchId: number, last: readonly Row[], isAll: boolean): void {
    const { rows, startedAt } = this.store.getState();
    if (startedAt !== null) return;
    const theirs = new Map(last.map((row) => [row.known?.id ?? 0, row]));
    const oldest = isAll ? 0 : Math.min(...theirs.keys());
    for (const { key, draft, known } of rows) {
      if (!known || draft.batchId !== batchId || !this.recalled.has(key)) continue;
      const now = theirs.get(known.id);
      if (now?.known) {
        const { bin, stow } = now;
        this.takeTheirs(key, now.known);
        this.set((session) =>
          changed(session, key, (row) => ({ bin, stow, draft: { ...row.draft, ...now.draft } })),
        );
      } else if (known.id > oldest) {
        // Deleted elsewhere.
        this.takeTheirs(key, { ...known, quantity: 0 });
        this.set((session) => changed(session, key, () => ({ known: null })));
      }
    }
  }

  /** Of these rows those that are sent, as rows from before the page that comes next. */
  private sentRows(keys: ReadonlySet<string>): readonly Row[] {
    const unsent = keysOf(this.unsentRows() ?? []);
    const session = this.store.getState();
    const sent = session.rows.filter(({ key }) => keys.has(key) && !unsent.has(key));
    return fromBefore(session, sent, unsent);
  }

  /** Keeps the steps for the next page of this tab. */
  keepSteps(): void {
    this.operations.keepSteps();
  }

  /** The page is shown again: what it kept would be out of date after its next step. */
  dropStepsOfPage(): void {
    this.operations.dropStepsOfPage();
  }

  private set(change: (session: Session) => Session): void {
    this.store.setState(change, true);
  }

  private rowOf(key: string): Row | undefined {
    return this.store.getState().rows.find((each) => each.key === key);
  }
}

/** Whether more pieces go into this row. A stowed bulk row is closed. */
const takesMore = (row: Row, added: Added): boolean =>
  isBulk(added.draft) ? isOpenBulk(row, added.draft) : isEqual(row, added);

const due = (rows: readonly string[]) => ({ rows, group: "" });

const keysOf = (rows: readonly Row[]): ReadonlySet<string> => new Set(rows.map(({ key }) => key));
