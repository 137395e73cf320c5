/**
 * The one outbox: all that a person did and the server has not answered. It is kept in this browser
 * before it is sent, and sent in the order of its rows: by one tab, whatever page is open, after a
 * reload, and after the same person has signed in again. Pages read from it what they show.
 */
import { createStore } from "zustand/vanilla";
import { ApiError } from "@/shared/api/errors";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { onLineBack } from "@/shared/lib/line";
import { log } from "@/shared/lib/log";
import type { Seat } from "@/shared/lib/person";
import { isSessionOver, problemText } from "@/shared/lib/problem";
import { memberOf } from "@/shared/lib/records";
import type { KeptRequests } from "./keptRequests";
import {
  errorOf,
  isHeld,
  type Method,
  type NewRequest,
  NotKept,
  type Refusal,
  refusalOf,
  refusedRows,
  type Unsent,
  withAnswer,
} from "./unsent";
import { rebased, renewed } from "./versions";

/** The longest time before an unreachable server is tried again. */
const TRY_AGAIN_MS = 10_000;

export type WaitsFor = "line" | "signIn";

/** What an operation waits for after this error. Null: the server has answered. */
function waitsFor(error: unknown): WaitsFor | null {
  if (isSessionOver(error)) return "signIn";
  return memberOf(error, "failure") ? "line" : null;
}

/** So many requests are under way at once. */
const AT_ONCE = 4;
const FIRST_PAUSE_MS = 1_000;
/** The longest pause of a request that the server fails to answer. */
const LONGEST_REST_MS = 60_000;
/** Other tabs may tell of many requests at once. */
const REREAD_MS = 30;
const LOCK = "brickstow_outbox";

/** What came of a request: the rows of the answer, and the refusal of it, or of some rows. */
export type Refused = ApiError;
export type Outcome = { request: Unsent; data?: unknown[]; error?: Refused };

/** Returns true where a page shows the refusal in its place. */
type Listener = (outcome: Outcome) => unknown;

/**
 * `waitsFor`: why nothing is sent at the moment. `isRead`: what was kept before this page is among
 * the requests.
 */
export type State = { requests: readonly Unsent[]; waitsFor: WaitsFor | null; isRead: boolean };

/** What a tab tells the other ones. */
type Told = {
  person: Seat;
  outcome?: { request: Unsent; data?: unknown[]; refusal?: Refusal };
  waitsFor?: WaitsFor | null;
  triesNow?: true;
  /** Keys of requests that were discarded, and are not any more. */
  back?: readonly string[];
};

/** A request whose method and path are known. */
export type Sendable = Unsent & { method: Method };

/**
 * Works out what a request without a method sends, and puts that into its place by `replace`. It
 * rejects as a call does: without a connection it is asked again.
 */
type Planner = (request: Unsent) => Promise<unknown>;

export type Parts = {
  send: (request: Sendable) => Promise<unknown[]>;
  kept: Pick<KeptRequests, "of" | "change" | "swap" | "drop" | "close">;
  /** Null: there are no other tabs. */
  channel: BroadcastChannel | null;
  locks: Pick<LockManager, "request"> | null;
};

/** Answers that other tabs may still put requests for. */
const MOST_ANSWERS = 200;
const notDone = () => new ApiError("NOT_DONE", "The row that this changes was not added.");
const isSendable = (request: Unsent): request is Sendable => request.method !== null;

const EMPTY: State = { requests: [], waitsFor: null, isRead: false };

export class Outbox {
  readonly store = createStore<State>(() => EMPTY);
  private readonly listeners = new Set<readonly [kind: string | null, listener: Listener]>();
  private person: Seat | null = null;
  /** This tab sends for all of them. */
  private isSender = false;
  private unlock: (() => void) | null = null;
  /** While the server cannot be reached. */
  private pause: { timer?: ReturnType<typeof setTimeout>; since: number } | null = null;
  private failures = 0;
  private lastPlace = 0;
  /** Keys of the requests that are being kept, and of those under way. */
  private readonly keeping = new Set<string>();
  private readonly flying = new Set<string>();
  /** Requests that the server failed to answer, and how often. */
  private readonly resting = new Map<
    string,
    { timer: ReturnType<typeof setTimeout> | null; times: number }
  >();
  /** Keys of those that have ended: a reading that began before may still find them. */
  private readonly ended = new Set<string>();
  private readonly planners = new Map<string, Planner>();
  private readonly answers = new Map<string, readonly unknown[]>();
  private pausing: ReturnType<typeof setTimeout> | undefined;
  private rereading: ReturnType<typeof setTimeout> | undefined;
  private readonly unwatch: () => void;

  constructor(private readonly parts: Parts) {
    parts.channel?.addEventListener("message", ({ data }) => this.hear(data as Told)); // from a tab
    window.addEventListener("online", this.tryNow);
    this.unwatch = onLineBack(this.tryNow);
  }

  // --- whose requests

  /** Shows the person's requests and sends them. Called at sign-in, and when he is back. */
  async open(person: Seat): Promise<void> {
    if (this.person !== person) this.close();
    this.person = person;
    this.queueForLock();
    await this.read();
    this.tryNow();
  }

  /** What is kept stays kept, under its person. */
  close(): void {
    this.person = null;
    this.keeping.clear();
    for (const { timer } of this.resting.values()) if (timer) clearTimeout(timer);
    this.resting.clear();
    clearTimeout(this.pause?.timer);
    this.pause = null;
    this.failures = 0;
    this.store.setState(EMPTY, true);
    this.parts.kept.close();
  }

  /** Ends this tab's part, as closing the tab does. */
  end(): void {
    this.close();
    this.isSender = false;
    this.unlock?.();
    clearTimeout(this.rereading);
    clearTimeout(this.pausing);
    window.removeEventListener("online", this.tryNow);
    this.unwatch();
    this.parts.channel?.close();
  }

  private queueForLock(): void {
    if (this.unlock) return;
    const lead = () => {
      this.isSender = true;
      void this.read();
      return held;
    };
    const held = new Promise<void>((resolve) => {
      this.unlock = resolve;
    });
    if (this.parts.locks) void this.parts.locks.request(LOCK, lead);
    else this.isSender = true;
  }

  private async read(): Promise<void> {
    const { person } = this;
    if (person === null) return;
    // What is put in while it is read, or just before, may not be found.
    const settled = new Set(
      this.store.getState().requests.flatMap(({ key }) => (this.keeping.has(key) ? [] : key)),
    );
    let found: Unsent[] = [];
    try {
      found = await this.parts.kept.of(person);
    } catch (error) {
      log.warn(`What is unsent cannot be read: ${problemText(error)}`);
      return;
    }
    if (this.person !== person) return;
    const now = this.store.getState().requests;
    const known = new Map(now.map((one) => [one.key, one]));
    const kept = found
      .filter(({ key }) => !this.ended.has(key))
      // This tab has heard of each outcome, also since it began to read.
      .map((one) => known.get(one.key) ?? one);
    const names = new Set(kept.map(({ key }) => key));
    const others = now.filter(({ key }) => !names.has(key) && !settled.has(key));
    this.show([...kept, ...others], true);
    this.pump();
  }

  private show(requests: readonly Unsent[], isRead = this.store.getState().isRead): void {
    this.store.setState({ requests: requests.toSorted((a, b) => a.place - b.place), isRead });
  }

  // --- acts

  /**
   * Puts what one act sends into the outbox: all of it, or nothing, where the browser has no room.
   * It shows at once. Resolves when it is kept.
   */
  async post(given: readonly NewRequest[]): Promise<Unsent[]> {
    return (await this.put([], given)) ?? [];
  }

  /**
   * The same in the place of requests that have not left this computer. Resolves with false where
   * one of them has left: then nothing is done.
   */
  async replace(keys: readonly string[], given: readonly NewRequest[]): Promise<boolean> {
    return (await this.put(keys, given)) !== null;
  }

  /** Whether it has not left this computer, as far as this tab knows. */
  isFree({ key, isStarted, refusal, method }: Unsent): boolean {
    return !isStarted && !refusal && !(method !== null && this.flying.has(key));
  }

  private async put(keys: readonly string[], given: readonly NewRequest[]) {
    const { person } = this;
    const words = given[0]?.words ?? "";
    if (person === null) throw new NotKept(words, null);
    const { requests } = this.store.getState();
    const out = keys.flatMap((key) => requests.find((one) => one.key === key) ?? []);
    if (out.length < keys.length || !out.every((one) => this.isFree(one))) return null;
    const made = given.map((one, index) => this.made({ place: out[index]?.place, ...one }, person));
    const over = this.refusedOf(made);
    const before = new Set([...out, ...over]);
    for (const { key } of made) this.keeping.add(key);
    this.show([...requests.filter((one) => !before.has(one)), ...made]);
    keepForGood();
    let isDone: boolean | null = null;
    try {
      isDone = await this.parts.kept.swap(keys, made);
    } catch (error) {
      throw new NotKept(words, error);
    } finally {
      for (const { key } of made) this.keeping.delete(key);
      if (!isDone) {
        this.remove(made.map(({ key }) => key));
        const back = [...before].filter(({ key }) => !this.ended.has(key));
        // By another tab, one of them has left.
        const hasLeft = isDone === false;
        const shown = back.map((one) => ({ ...one, isStarted: one.isStarted || hasLeft }));
        if (this.person === person) this.show([...this.store.getState().requests, ...shown]);
      }
    }
    if (!isDone) return null;
    for (const key of keys) this.ended.add(key);
    if (over.length > 0) void this.forget(over.map(({ key }) => key));
    this.goOn();
    return made;
  }

  /** Changes what a request that is to be planned is about. Resolves with false where it is gone. */
  async amend(key: string, change: Pick<Unsent, "about" | "words">): Promise<boolean> {
    const next = (one: Unsent) => ({ ...one, ...change });
    this.changeShown(key, next);
    return (await this.parts.kept.change(key, next)) !== null;
  }

  /** Sets who works out what the requests of a kind send that have no method. */
  planBy(kind: string, planner: Planner): void {
    this.planners.set(kind, planner);
    this.pump();
  }

  private goOn(): void {
    this.tell({});
    // New work tries the server again, not more often than a person acts.
    if (this.pause && Date.now() - this.pause.since > FIRST_PAUSE_MS) this.tryNow();
    else this.pump();
  }

  /**
   * The same for one request, for who waits beside it: resolves with the rows of its answer, and
   * rejects with its refusal, which is the caller's to tell then. Null: the server does not answer
   * now, and what comes of it is told as of any other request.
   */
  async send(given: NewRequest): Promise<unknown[] | null> {
    const key = given.key ?? newIdempotencyKey();
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        unlisten();
        unwatch();
        settle();
      };
      const unlisten = this.onOutcome(null, ({ request, data, error }) => {
        if (request.key !== key) return false;
        end(() => (data ? resolve(data) : reject(error)));
        if (error) void this.forget([key]);
        return true;
      });
      const look = () => {
        const { requests, waitsFor: reason } = this.store.getState();
        const request = requests.find((one) => one.key === key);
        const isLate = reason !== null && (this.pause !== null || !this.isSender);
        if (isLate || !request || request.why !== null) end(() => resolve(null));
      };
      const unwatch = this.store.subscribe(() => !this.keeping.has(key) && look());
      this.post([{ ...given, key }]).then(look, (error) => end(() => reject(error)));
    });
  }

  private made(given: NewRequest & { place?: number | undefined }, person: Seat): Unsent {
    const now = Date.now();
    this.lastPlace = Math.max(now, this.lastPlace + 0.001);
    return {
      ...given,
      key: given.key ?? newIdempotencyKey(),
      person,
      since: now,
      place: given.place ?? this.lastPlace,
      isStarted: false,
      why: null,
      refusal: null,
    };
  }

  /** Refusals of the same rows: the person has done it anew. */
  private refusedOf(made: readonly Unsent[]): Unsent[] {
    const nameOf = ({ kind, rows }: Unsent) => JSON.stringify([kind, rows]);
    const names = new Set(made.map(nameOf));
    return this.store.getState().requests.filter((one) => one.refusal && names.has(nameOf(one)));
  }

  /** Sends a refused request once more, before those that wait for its answer. */
  async tryAgain({ key, since, isShown, ...request }: Unsent): Promise<void> {
    await this.post([request]);
    await this.forget([key]);
  }

  /** Returns the function that puts them back. */
  async discard(requests: readonly Unsent[]): Promise<() => Promise<void>> {
    const keys = requests.map(({ key }) => key);
    await this.forget(keys);
    return async () => {
      for (const key of keys) this.ended.delete(key);
      try {
        await this.parts.kept.swap([], requests);
      } catch (error) {
        throw new NotKept(requests[0]?.words ?? "", error);
      }
      await this.read();
      this.tell({ back: keys });
    };
  }

  private async forget(keys: readonly string[]): Promise<void> {
    this.remove(keys);
    await this.parts.kept.drop(keys);
    this.tell({});
    this.pump(); // what waited for the person's decision
  }

  private remove(keys: readonly string[]): void {
    for (const key of keys) this.ended.add(key);
    const gone = new Set(keys);
    this.store.setState(({ requests }) => ({
      requests: requests.filter(({ key }) => !gone.has(key)),
    }));
  }

  /** Calls back with each outcome of a kind, or of all. Returns a function that stops it. */
  onOutcome(kind: string | null, listener: Listener): () => void {
    const entry = [kind, listener] as const;
    this.listeners.add(entry);
    return () => void this.listeners.delete(entry);
  }

  // --- sending

  readonly tryNow = (): void => {
    clearTimeout(this.pause?.timer);
    this.pause = null;
    for (const [key, rest] of this.resting) {
      if (rest.timer) clearTimeout(rest.timer);
      this.resting.set(key, { ...rest, timer: null });
    }
    if (!this.isSender) this.tell({ triesNow: true });
    this.pump();
  };

  private pump(): void {
    if (!this.isSender || this.pause || this.person === null) return;
    const busy = new Set<string>();
    // One that is answered shows that the others may go.
    const most = this.failures > 0 ? 1 : AT_ONCE;
    const { requests } = this.store.getState();
    const refused = requests.filter(({ refusal }) => refusal);
    const names = new Set(requests.map(({ name }) => name));
    let count = requests.filter(({ key }) => this.flying.has(key)).length;
    for (const request of requests) {
      if (count >= most) return;
      const { key, rows } = request;
      if (request.refusal) continue;
      const isFree = !isHeld(request, refused) && !rows.some((row) => busy.has(row));
      for (const row of rows) busy.add(row);
      if (this.flying.has(key) || this.keeping.has(key) || this.resting.get(key)?.timer) continue;
      if (!isFree || this.isPaused(request)) continue;
      if (request.method === null && !this.planners.has(request.kind)) continue;
      const lacks = request.needs?.find((name) => !names.has(name));
      if (lacks !== undefined) void this.fill(request, lacks);
      if (request.needs?.length) continue;
      count += 1;
      void this.deliver(request);
    }
  }

  /** Whether its pause lasts; it is sent when that is over. */
  private isPaused({ since, pauseMs = 0, isStarted, place, rows }: Unsent): boolean {
    const left = since + pauseMs - Date.now();
    if (left <= 0 || isStarted) return false;
    const { requests } = this.store.getState();
    const isWanted = (one: Unsent) =>
      one.place > place && !one.pauseMs && one.rows.some((row) => rows.includes(row));
    if (requests.some(isWanted)) return false;
    this.pausing ??= setTimeout(() => {
      this.pausing = undefined;
      this.pump();
    }, left);
    return true;
  }

  private async deliver(request: Unsent): Promise<void> {
    const { person } = this;
    const { key, kind } = request;
    this.flying.add(key);
    try {
      if (isSendable(request)) await this.sendOne(key);
      else {
        const planner = this.planners.get(kind);
        const came = await attempt(async () => [await planner?.(request)]);
        const known = this.store.getState().requests.find((one) => one.key === key);
        if (known && "error" in came) await this.settle(known, came);
      }
    } catch (error) {
      log.error(`The outbox: ${problemText(error)}`);
    } finally {
      this.flying.delete(key);
    }
    if (this.person === person) this.pump();
  }

  private async sendOne(key: string): Promise<void> {
    // Another tab may have withdrawn it, or a tab before this one has seen its end.
    const request = await this.started(key);
    if (request && request.person !== this.person) return; // another one has signed in meanwhile
    if (request) this.changeShown(key, (one) => ({ ...one, isStarted: true }));
    if (!request || !isSendable(request)) this.remove([key]);
    else await this.settle(request, await attempt(() => this.parts.send(request)));
  }

  /** Takes the id from an answer that came before the request, or refuses it: there is none. */
  private async fill(request: Unsent, name: string): Promise<void> {
    const { key } = request;
    if (!this.store.getState().isRead || this.flying.has(key)) return;
    this.flying.add(key);
    try {
      const data = this.answers.get(name);
      const fill = (one: Unsent) => withAnswer(one, { name }, data ?? []);
      this.changeShown(key, fill);
      if (fill(request) !== request) await this.parts.kept.change(key, fill);
      else await this.answered(request, { error: notDone() });
    } finally {
      this.flying.delete(key);
    }
    this.pump();
  }

  private async started(key: string): Promise<Unsent | null> {
    const start = (one: Unsent): Unsent => ({ ...one, isStarted: true });
    const known = this.store.getState().requests.find((one) => one.key === key);
    try {
      return await this.parts.kept.change(key, start);
    } catch {
      return known ? start(known) : null; // no room even for this: it is sent all the same
    }
  }

  private async settle(request: Unsent, { data, error }: { data?: unknown[]; error?: unknown }) {
    const { key } = request;
    const reason = error === undefined ? null : waitsFor(error);
    const { failure, retryAfterMs } = (error ?? {}) as Partial<ApiError>;
    if (failure === "server" || failure === "rateLimit") {
      this.rest(key, problemText(error), retryAfterMs ?? 0);
      return;
    }
    if (reason) {
      // It has not left this computer.
      const isStarted = reason === "line" && navigator.onLine;
      if (!isStarted) {
        await this.parts.kept.change(key, (one) => ({ ...one, isStarted }));
        this.changeShown(key, (one) => ({ ...one, isStarted }));
      }
      this.wait(request.person, reason);
      return;
    }
    this.reached();
    const other = data ? null : rebased(request, error);
    if (other && "again" in other) {
      await this.parts.kept.change(key, () => other.again);
      this.changeShown(key, () => other.again);
      return;
    }
    await this.answered(request, other ?? { ...(data && { data }), error });
  }

  /** The answer of the server to a request, or its refusal. */
  private async answered(request: Unsent, { data, error }: { data?: unknown[]; error?: unknown }) {
    const { key } = request;
    if (data) await this.renew(request, data);
    const refusal = data ? refusedRows(data) : refusalOf(error);
    if (refusal) {
      await this.parts.kept
        .change(key, (one) => ({ ...one, refusal }))
        .catch((full) => log.warn(`A refusal is not kept: ${problemText(full)}`));
    } else await this.parts.kept.drop([key]);
    const { form: _, ...light } = request;
    const outcome = { request: light, ...(data && { data }), ...(refusal && { refusal }) };
    this.take(outcome);
    this.tell({ outcome });
  }

  /** What was done to the same rows since goes on from this answer. */
  private async renew(answered: Unsent, data: readonly unknown[]): Promise<void> {
    const { requests } = this.store.getState();
    const next = (one: Unsent) => withAnswer(renewed(one, answered, data), answered, data);
    for (const one of requests) {
      if (one.place <= answered.place || !one.rows.some((row) => answered.rows.includes(row))) {
        continue;
      }
      if (next(one) === one) continue;
      await this.parts.kept.change(one.key, next);
      this.changeShown(one.key, next);
    }
  }

  /** The server cannot be reached, or wants to know who it is: nothing is sent for a while. */
  private wait(person: Seat, reason: WaitsFor): void {
    if (this.person !== person) return;
    clearTimeout(this.pause?.timer);
    const ms = Math.min(TRY_AGAIN_MS, FIRST_PAUSE_MS * 2 ** this.failures);
    this.failures += 1;
    this.pause = {
      since: Date.now(),
      ...(reason === "line" && { timer: setTimeout(this.tryNow, ms) }),
    };
    this.store.setState({ waitsFor: reason });
    this.tell({ waitsFor: reason });
  }

  private reached(): void {
    this.failures = 0;
    if (this.store.getState().waitsFor === null) return;
    this.store.setState({ waitsFor: null });
    this.tell({ waitsFor: null });
  }

  /** The server fails to answer this one: the others go on. */
  private rest(key: string, why: string, atLeastMs: number): void {
    const times = this.resting.get(key)?.times ?? 0;
    const ms = Math.max(atLeastMs, Math.min(LONGEST_REST_MS, 2 * FIRST_PAUSE_MS * 2 ** times));
    const over = () => {
      this.resting.set(key, { timer: null, times: times + 1 });
      this.pump();
    };
    this.resting.set(key, { timer: setTimeout(over, ms), times });
    this.changeShown(key, (one) => ({ ...one, why }));
  }

  private changeShown(key: string, change: (request: Unsent) => Unsent): void {
    this.store.setState(({ requests }) => ({
      requests: requests.map((one) => (one.key === key ? change(one) : one)),
    }));
  }

  /** Takes an end over into what is shown, and tells who listens. */
  private take({ request, data, refusal }: NonNullable<Told["outcome"]>): void {
    if (this.person !== request.person) return;
    const { key, kind, name } = request;
    if (data && name !== undefined) this.noteAnswer(name, data);
    const known = this.store.getState().requests.find((one) => one.key === key);
    const outcome: Outcome = {
      request: known ?? request,
      ...(data && { data }),
      ...(refusal && { error: errorOf(refusal) }),
    };
    const told = [...this.listeners]
      .filter(([wanted]) => wanted === null || wanted === kind)
      .map(([, listener]) => listener(outcome));
    const isShown = told.includes(true);
    if (refusal && !(data && isShown)) {
      this.changeShown(key, (one) => ({ ...one, refusal, isShown, isStarted: true }));
    } else if (refusal) void this.forget([key]);
    else this.remove([key]);
  }

  private noteAnswer(name: string, data: readonly unknown[]): void {
    this.answers.set(name, data);
    const [oldest] = this.answers.keys();
    if (oldest !== undefined && this.answers.size > MOST_ANSWERS) this.answers.delete(oldest);
  }

  // --- other tabs

  private tell(what: Omit<Told, "person">): void {
    if (this.person !== null) this.parts.channel?.postMessage({ person: this.person, ...what });
  }

  private hear({ person, outcome, waitsFor: reason, triesNow, back }: Told): void {
    if (person !== this.person) return;
    for (const key of back ?? []) this.ended.delete(key);
    if (triesNow) {
      if (this.isSender) this.tryNow();
    } else if (outcome) this.take(outcome);
    else if (reason !== undefined) this.store.setState({ waitsFor: reason });
    else {
      clearTimeout(this.rereading);
      this.rereading = setTimeout(() => void this.read(), REREAD_MS);
    }
  }
}

let isAsked = false;

/** Asks the browser not to clear what is kept when room is short. */
function keepForGood(): void {
  if (isAsked) return;
  isAsked = true;
  navigator.storage?.persist?.().catch(() => undefined);
}

async function attempt(
  act: () => Promise<unknown[]>,
): Promise<{ data?: unknown[]; error?: unknown }> {
  try {
    return { data: await act() };
  } catch (error) {
    return { error: error ?? new Error() };
  }
}
