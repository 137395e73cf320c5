/**
 * The operations of the station: adds and changes of rows. What the server lacks of a row is in the
 * outbox; what has not left this computer is planned anew with each change. A refusal stays at its
 * row, for the person to decide.
 */

import { createStore, type StoreApi } from "zustand/vanilla";
import { followQuietly } from "@/features/jobs/public";
import type { Bin } from "@/features/locations/public";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { onPersonForgotten } from "@/shared/lib/person";
import { memberOf, rowsWith } from "@/shared/lib/records";
import { restated, type Step } from "@/shared/outbox/history";
import type { Outcome as Answered, Outbox } from "@/shared/outbox/outbox";
import { Steps, type StepsTold } from "@/shared/outbox/steps";
import { errorOf, type NewRequest, type Unsent } from "@/shared/outbox/unsent";
import { isOpenBulk } from "../add/bulk";
import { type BatchItem, isBulk } from "../model";
import {
  type Base,
  binOf,
  callOf,
  changeOf,
  knownBefore,
  knownOf,
  problemOf,
  type RowCall,
  requestOf,
  STATION,
  stateAfter,
} from "./requests";
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

export type Outcome = { row: Row; did: Difference; problem: Problem | null };

type RowStep = Step<QuantityChange>;

class RowSteps extends Steps<RowStep, QuantityChange, readonly Row[]> {
  constructor(
    name: string,
    told: StepsTold<RowStep, readonly Row[]>,
    private readonly show: (changes: readonly QuantityChange[]) => Promise<unknown>,
    private readonly taken: () => Promise<unknown> | undefined,
  ) {
    super(name, told);
  }

  protected override carryOut(changes: readonly QuantityChange[]): Promise<unknown> {
    return this.show(changes);
  }

  protected override settled(): Promise<void> {
    return Promise.resolve();
  }

  protected override ready(): Promise<unknown> | undefined {
    return this.taken();
  }

  forget(): void {
    this.clearSteps();
  }
}

export class StowSession {
  readonly store: StoreApi<Session> = createStore<Session>(() => emptySession);
  /** The station shows refusals at their rows. */
  isShown = false;
  private readonly steps: RowSteps;
  private readonly listeners = new Set<(outcome: Outcome) => void>();
  /** The keys of the rows that the server had when the page before ended. */
  private recalled: ReadonlySet<string> = new Set();
  /** The row of each request that this page has in the outbox. */
  private readonly posted = new Map<string, string>();
  /** Those that are being replaced. */
  private readonly leaving = new Set<string>();
  private planning: Promise<unknown> = Promise.resolve();
  private resuming: { taken: Promise<void>; take: () => void } | null = null;
  private readonly stops: (() => void)[];

  constructor(
    private readonly outbox: Outbox,
    /** Whether stowed pieces are listed too. */
    private readonly listsToo: () => boolean = () => false,
    name = "station",
  ) {
    const told = {
      remember: (keys: readonly string[]) => this.sentRows(new Set(keys)),
      recall: (rows: readonly Row[]) => {
        this.recalled = keysOf(rows);
        this.bringBack(rows);
      },
      changed: () => undefined,
    };
    this.steps = new RowSteps(
      name,
      told,
      (changes) => {
        this.set((session) => withChanges(session, changes));
        return this.bring(changes.map(({ row }) => row));
      },
      () => this.resuming?.taken,
    );
    this.stops = [
      outbox.onOutcome(STATION, this.hear),
      outbox.store.subscribe(() => this.follow()),
      onPersonForgotten(() => this.forget()),
    ];
  }

  /** Ends with its page. */
  end(): void {
    for (const stop of this.stops) stop();
  }

  // --- acts

  /**
   * Adds pieces at `now`, in milliseconds: to the row of equal ones if there is one, which becomes
   * the newest; else as a new row. What is listed as it is stowed is always a new one. `instead`: the
   * request in the outbox whose place it takes.
   */
  add(added: Added | readonly Added[], now: number, instead?: string): Promise<unknown> {
    const all: readonly Added[] = "key" in added ? [added] : added;
    const changes = all.map((one) => this.placed(one, now));
    for (const change of changes) this.record([change], now);
    return this.bring(
      changes.map(({ row }) => row),
      instead,
    );
  }

  private placed(added: Added, now: number): QuantityChange {
    const isApart = added.stow && this.listsToo();
    const { rows } = this.store.getState();
    const open = isApart ? undefined : rows.find((row) => takesMore(row, added));
    const { key, quantity: before } = open ?? { key: added.key, quantity: 0 };
    this.set((session) =>
      acted(open ? touched(session, key, now) : withRow(session, added, now), now),
    );
    return { row: key, before, after: before + added.quantity };
  }

  /** Takes the newest add to a row back; the whole row where it was the only one of this session. */
  takeBack(key: string, now: number): void {
    const row = this.rowOf(key);
    const { done } = this.steps.history;
    const last = done.flatMap(({ changes }) => changes).findLast((one) => one.row === key);
    const added = last ? last.after - last.before : 0;
    if (row) this.setQuantity(key, added > 0 ? row.quantity - added : 0, now);
  }

  /** Sets the row's quantity (at least 0). */
  setQuantity(key: string, quantity: number, now: number): void {
    const row = this.rowOf(key);
    const after = Math.max(0, quantity);
    if (!row || row.quantity === after) return;
    this.record([{ row: key, before: row.quantity, after }], now);
    void this.bring([key]);
  }

  private record(changes: QuantityChange[], now: number): void {
    this.set((session) => withChanges(acted(session, now), changes));
    this.steps.record({ label: "", changes });
  }

  /** Keeps `here` pieces in the row's bin; the others become a row of their own, for `bin`. */
  split(key: string, to: { here: number; newKey: string; bin: Bin }, now: number): void {
    const row = this.rowOf(key);
    const rest = row ? row.quantity - to.here : 0;
    if (!row || rest < 1 || to.here < 1) return;
    const { draft, stow } = row;
    this.setQuantity(key, to.here, now);
    const added = { key: to.newKey, draft, bin: to.bin, stow };
    this.set((session) => acted(withRow(session, added, now), now));
    this.setQuantity(to.newKey, rest, now);
  }

  /** Sets another bin for a row, or the same bin with a reason for exceeding its limits. */
  setBin(key: string, bin: Bin | null, reason = ""): void {
    this.set((session) => withBin(session, key, bin, reason));
    void this.bring([key]);
  }

  /** Stows a row into its bin. */
  stow(key: string): void {
    this.set((session) => changed(session, key, () => ({ stow: true })));
    void this.bring([key]);
  }

  undo(now: number): void {
    if (this.steps.history.done.length > 0) this.begin(now);
    void this.steps.undo();
  }

  redo(now: number): void {
    if (this.steps.history.undone.length > 0) this.begin(now);
    void this.steps.redo();
  }

  /** The first act of a page may undo one of the page before. */
  private begin(now: number): void {
    this.set((session) => (session.startedAt === null ? acted(session, now) : session));
  }

  /** Retries a refused row. */
  retry(key: string): void {
    this.set((session) => changed(session, key, () => ({ problem: null })));
    void this.bring([key]);
  }

  /** Calls back after each finished call. Returns a function that stops it. */
  onOutcome(listener: (outcome: Outcome) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  // --- what the outbox has

  /** Puts what the server lacks of these rows into the outbox. Resolves when it is kept. */
  private bring(keys: readonly string[], instead?: string): Promise<unknown> {
    const planned = this.planning.then(() => this.plan(new Set(keys), instead));
    this.planning = planned.catch(() => undefined);
    return planned;
  }

  private async plan(keys: ReadonlySet<string>, instead?: string): Promise<void> {
    for (let isDone = false; !isDone; ) {
      const out = this.outbox.store
        .getState()
        .requests.flatMap(({ key }) => (key === instead ? key : []));
      const calls: { key: string; request: NewRequest }[] = [];
      const settled: Unsent[] = [];
      for (const key of keys) {
        const row = this.rowOf(key);
        if (!row) continue;
        const waiting = this.requestsOf(key);
        const free = waiting.filter((one) => this.outbox.isFree(one));
        const left = waiting.filter((one) => !one.refusal && !free.includes(one));
        const base = left.reduce<Base | null>(
          (now, one) => stateAfter(now, callOf(one), one.name),
          row.known,
        );
        const requests = row.problem ? [] : this.requestsFor(row, base);
        const refused = waiting.filter(({ refusal }) => refusal);
        if (!row.problem && requests.length === 0) settled.push(...refused);
        for (const one of [...free, ...(row.problem ? [] : refused)]) this.leaving.add(one.key);
        out.push(...free.map((one) => one.key));
        calls.push(...requests.map((request) => ({ key, request })));
      }
      isDone = await this.put(out, calls);
      if (settled.length > 0) await this.outbox.discard(settled);
      if (isDone) for (const key of this.leaving) this.posted.delete(key);
      this.leaving.clear();
    }
  }

  private async put(
    out: readonly string[],
    calls: readonly { key: string; request: NewRequest }[],
  ): Promise<boolean> {
    if (out.length === 0 && calls.length === 0) return true;
    const requests = calls.map(({ request }) => ({ ...request, key: newIdempotencyKey() }));
    try {
      if (!(await this.outbox.replace(out, requests))) return false;
      for (const [index, { key }] of calls.entries()) {
        this.posted.set(requests[index]?.key ?? "", key);
      }
      this.follow();
    } catch (error) {
      for (const { key, request } of calls) this.refuse(key, callOf(request), error);
    }
    return true;
  }

  private requestsFor(row: Row, from: Base | null): NewRequest[] {
    const requests: NewRequest[] = [];
    let base = from;
    for (;;) {
      const did = difference({ ...row, known: base });
      if (!did) return requests;
      const name = newIdempotencyKey();
      const call = { did, row: this.kept(row), base, change: changeOf(did, row, base) };
      requests.push(requestOf(call, { name, list: this.listsToo(), join: this.mayJoin(row) }));
      base = stateAfter(base, call, name);
    }
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

  private requestsOf(key: string): Unsent[] {
    const { requests } = this.outbox.store.getState();
    return requests.filter((one) => one.kind === STATION && callOf(one).row.key === key);
  }

  private readonly hear = ({ request, data, error }: Answered): boolean => {
    const call = callOf(request);
    const { key } = call.row;
    if (!this.rowOf(key)) return false;
    const isOwn = this.posted.has(request.key);
    if (error) {
      this.refuse(key, call, error);
      void this.bring([key]);
      return this.isShown;
    }
    this.posted.delete(request.key);
    // Another tab has changed the row: it is as that one wants it.
    const { quantity, bin, stow } = call.row;
    if (!isOwn) this.set((session) => changed(session, key, () => ({ quantity, bin, stow })));
    this.accepted(call, data ?? []);
    // What others made of the row may leave more to do.
    if (this.requestsOf(key).every((one) => one.key === request.key)) void this.bring([key]);
    return false;
  };

  /** Takes an answer over. Pieces that this tab did not send come from another one. */
  private accepted({ did, row: { key, draft }, change }: RowCall, data: readonly unknown[]): void {
    const before = this.rowOf(key)?.known ?? null;
    const [item] = rowsWith<BatchItem>(data, "id", "qty");
    const isPutOff = did === "remove" && draft.settles !== undefined;
    const now = isPutOff ? null : item ? knownOf(item) : stateOf(before, did);
    if (now) {
      const expected = Math.max(0, (before?.quantity ?? 0) + change);
      const ours = { ...(before ?? now), quantity: expected };
      this.set((session) => changed(session, key, () => ({ known: ours })));
      this.takeTheirs(key, now, item && binOf(item));
      // The pieces that were there are not of this session.
      const startedWith = now.quantity - expected;
      const isTheirs = expected === 0;
      if ((did === "add" || isTheirs) && startedWith > 0) {
        const planned = isTheirs && item && { bin: binOf(item), stow: now.isStowed };
        this.set((session) => changed(session, key, () => ({ startedWith, ...planned })));
      }
    } else {
      if (before && !isPutOff && before.quantity + change > 0)
        this.takeTheirs(key, { ...before, quantity: -change });
      this.set((session) => changed(session, key, () => ({ known: null })));
    }
    const job = did === "stow" && memberOf(data[0], "listing_job_id");
    if (typeof job === "string") followQuietly(job);
    this.tell(key, did, null);
  }

  private refuse(key: string, { did, row: sent }: RowCall, error: unknown): void {
    const problem = problemOf(error, did, sent);
    this.set((session) =>
      changed(session, key, ({ quantity, bin }) => ({
        // If the wish changed meanwhile it is sent again: the refusal concerned the old one.
        problem: quantity === sent.quantity && bin?.id === sent.bin?.id ? problem : null,
      })),
    );
    this.tell(key, did, problem);
  }

  /** Takes over the server's quantity. */
  private takeTheirs(key: string, known: Known, bin?: Bin | null): void {
    const { session, shifted } = withTheirs(this.store.getState(), key, known, bin);
    const { steps } = this;
    steps.history = restated(steps.history, ({ row }: QuantityChange) => row === key, shifted);
    this.store.setState(session, true);
  }

  private tell(key: string, did: Difference, problem: Problem | null): void {
    const row = this.rowOf(key);
    if (row) for (const listener of this.listeners) listener({ row, did, problem });
  }

  /** Takes up what is kept, and lets go of what was taken out of the list of unsent things. */
  private follow(): void {
    const { requests, waitsFor, isRead } = this.outbox.store.getState();
    const isAway = waitsFor !== null;
    if (isAway !== this.store.getState().isAway) this.store.setState({ isAway });
    if (!isRead) return;
    if (this.resuming) this.takeUp(this.resuming.take);
    const names = new Set(requests.map(({ key }) => key));
    for (const [request, key] of this.posted) {
      if (!names.has(request) && !this.leaving.has(request)) this.withdrawn(request, key);
    }
  }

  private withdrawn(request: string, key: string): void {
    this.posted.delete(request);
    const row = this.rowOf(key);
    const rest = this.requestsOf(key).filter(({ refusal }) => !refusal);
    const now = rest.reduce<Base | null>(
      (base, one) => stateAfter(base, callOf(one), one.name),
      row?.known ?? null,
    );
    const last = rest.at(-1);
    const bin = last ? callOf(last).row.bin : row?.bin;
    this.set((session) =>
      changed(session, key, () => ({
        quantity: now?.quantity ?? 0,
        bin: now?.binId === (bin?.id ?? null) ? (bin ?? null) : null,
        stow: now?.isStowed ?? false,
        problem: null,
      })),
    );
  }

  // --- over a reload

  /** Takes up the steps of this tab, and what is unsent of it and of closed ones. */
  resume(): Promise<void> {
    this.steps.recallSteps();
    let take = () => {};
    const taken = new Promise<void>((resolve) => {
      take = resolve;
    });
    this.resuming = { taken, take };
    this.follow();
    return taken;
  }

  private takeUp(done: () => void): void {
    this.resuming = null;
    const { requests } = this.outbox.store.getState();
    const here = keysOf(this.store.getState().rows);
    const rows = new Map<string, Row>();
    for (const request of requests.filter(({ kind }) => kind === STATION)) {
      const call = callOf(request);
      const { did, row } = call;
      const { key } = row;
      if (here.has(key)) continue;
      this.posted.set(request.key, key);
      const { known, problem } = rows.get(key) ?? { known: knownBefore(call), problem: null };
      const refused = request.refusal && problemOf(errorOf(request.refusal), did, row);
      rows.set(key, { ...row, known, problem: problem ?? refused });
    }
    this.bringBack([...rows.values()]);
    done();
  }

  private bringBack(left: readonly Row[]): void {
    this.set((session) => {
      const here = keysOf(session.rows);
      const rows = [...session.rows, ...left.filter((row) => !here.has(row.key))];
      return { ...session, rows: newestFirst(rows) };
    });
  }

  /** The rows that differ on the server. */
  private unsentKeys(): ReadonlySet<string> {
    const posted = new Set(this.posted.values());
    return keysOf(
      this.store.getState().rows.filter((row) => posted.has(row.key) || difference(row) !== null),
    );
  }

  /** A row as a page after this one shows it, until it is answered. */
  private kept(row: Row): Row {
    const [kept] = fromBefore(this.store.getState(), [row], this.unsentKeys());
    return { ...(kept ?? row), problem: null };
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
    const unsent = this.unsentKeys();
    const session = this.store.getState();
    const sent = session.rows.filter(({ key }) => keys.has(key) && !unsent.has(key));
    return fromBefore(session, sent, unsent);
  }

  /** Keeps the steps for the next page of this tab. */
  keepSteps(): void {
    this.steps.keepSteps();
  }

  /** The page is shown again: what it kept would be out of date after its next step. */
  dropStepsOfPage(): void {
    this.steps.dropStepsOfPage();
  }

  forget(): void {
    this.steps.forget();
    this.posted.clear();
    this.store.setState(emptySession, true);
  }

  private set(change: (session: Session) => Session): void {
    this.store.setState(change, true);
  }

  private rowOf(key: string): Row | undefined {
    return this.store.getState().rows.find((each) => each.key === key);
  }
}

/** The state of a row after an answer that does not hold it. */
const stateOf = (before: Known | null, did: Difference): Known | null =>
  before && (did === "stow" || did === "unstow") ? { ...before, isStowed: did === "stow" } : null;

/** Whether more pieces go into this row. A stowed bulk row is closed. */
const takesMore = (row: Row, added: Added): boolean =>
  isBulk(added.draft) ? isOpenBulk(row, added.draft) : isEqual(row, added);

const keysOf = (rows: readonly Row[]): ReadonlySet<string> => new Set(rows.map(({ key }) => key));
