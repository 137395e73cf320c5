/**
 * What a person does to rows: each operation shows at once, is sent in the turn of its rows, and
 * can be undone and redone. Its client says what a row shows and what the server lacks of it; what
 * is sent is worked out only when the row's turn comes. So operations of one row go one after the
 * other, an undo waits for the answer of what it undoes, quick changes become one call, and what
 * is undone before it was sent is never sent.
 */

import {
  type Change,
  emptyHistory,
  type History,
  joined,
  mapped,
  moved,
  putBack,
  recorded,
  reversed,
  type Side,
  type Step,
  stepsTo,
  takenBack,
} from "./history";
import { StepsOfTab } from "./keptSteps";
import { Pauses } from "./pauses";
import type { WaitsFor } from "./reach";
import { undoServerActs } from "./serverActs";
import { createOutbox, type Kept } from "./tabCalls";

/** Rows to be sent. `group`: they go together, apart from the other changes of these rows. */
export type Due = { rows: readonly string[]; group: string };

/** A call to the server: plain data, sent the same to the letter until it is answered. */
export type Call = Due & { key: string };

/** Why values are shown: a step, and for undo and redo the side that it comes from. */
export type Cause<S> = { step: S; from: Side | null };

export type Client<S extends Step<C>, C extends Change, SentCall extends Call, Answer, Wanted> = {
  /** Shows changes at once. Returns what is due then. */
  show: (changes: readonly C[], cause: Cause<S>) => Due;
  /**
   * The next call that brings the server nearer to what is shown. Null: nothing is due, or what is
   * due waits for the person.
   */
  next: (due: Due) => SentCall | null;
  send: (call: SentCall) => Promise<Answer>;
  /** Takes an answer over into what is shown: the call is not due any more. */
  accepted: (call: SentCall, answer: Answer) => void;
  /** The same for a refusal. */
  refused: (call: SentCall, error: unknown) => void;
  onWaiting?: (call: SentCall, reason: WaitsFor) => void;
  /** What is shown and is not sent, to be kept over a reload. Null: nothing. */
  wanted: () => Wanted | null;
  /**
   * Shows what a reload interrupted, while `calls` are not answered yet. Returns what is due after
   * them.
   */
  resume: (left: Wanted, calls: readonly SentCall[]) => readonly Due[];
  /** What undo and redo need to know of these rows, to be kept over a reload. */
  remember?: (rows: readonly string[]) => Wanted | null;
  /** Takes it up, before `resume`. The history has its steps already. */
  recall?: (remembered: Wanted) => void;
  /** An act that was recorded before the reload was undone: `told` is what to say of it. */
  onTakenBack?: (step: S, told: string | undefined) => void;
  /** Fetches what the undo of such an act has made stale, also where it failed midway. */
  refresh?: () => unknown;
  onNotKept?: (error: unknown) => void;
  /** An undo or redo begins; null: there is no step on this side. */
  onStep?: (step: S | null, from: Side) => void;
  /** An act of the server could not be undone. */
  onNotTakenBack?: (error: unknown) => void;
  onNotDoneAgain?: (error: unknown) => void;
  /** The history or what is under way has changed. */
  changed: () => void;
  forget: () => void;
};

export type OperationsOptions<SentCall, Wanted> = {
  /** The name of the setting that keeps what is unsent. */
  name: string;
  /** A row that changes is sent this long after its last change. */
  pauseMs?: number;
  /** All calls go one after the other, not only those of one row. */
  inOneTurn?: boolean;
  /** Its owner forgets it with the person, since it may end before the page. */
  endsWithOwner?: boolean;
  /** Takes what older versions left unsent under other names. */
  takeOlder?: () => Promise<readonly Kept<SentCall, Wanted>[]>;
};

const ONE_TURN = [""];

export class Operations<
  S extends Step<C>,
  C extends Change,
  SentCall extends Call,
  Answer,
  Wanted = never,
> {
  history: History<S> = emptyHistory;
  readonly outbox;
  private readonly pauses = new Pauses((row) => void this.bring({ rows: [row], group: "" }));
  /** Acts whose results the next undo or redo starts from. */
  private readonly unrecorded = new Set<Promise<unknown>>();
  private readonly tab: StepsOfTab<S, Wanted>;
  /** While unsent changes of the page before are taken up. */
  private resuming: Promise<void> | null = null;
  private count = 0;

  constructor(
    private readonly options: OperationsOptions<SentCall, Wanted>,
    private readonly client: Client<S, C, SentCall, Answer, Wanted>,
  ) {
    this.tab = new StepsOfTab(options.name);
    this.outbox = createOutbox<SentCall, Answer, Wanted>({
      name: options.name,
      endsWithOwner: options.endsWithOwner === true,
      send: client.send,
      beside: client.wanted,
      takeOlder: options.takeOlder,
      onForgotten: () => this.clear(),
      ...(client.onWaiting && { onWaiting: client.onWaiting }),
      ...(client.onNotKept && { onNotKept: client.onNotKept }),
    });
  }

  nextId(): number {
    this.count += 1;
    return this.count;
  }

  get isBusy(): boolean {
    return this.outbox.isBusy() || this.pauses.size > 0 || this.unrecorded.size > 0;
  }

  /** Records a step of the history that shows already. */
  record(given: Omit<S, "id" | "at">): S {
    const step = { ...given, id: this.nextId(), at: Date.now() } as S; // the two fields left out
    this.history = recorded(this.history, step);
    this.client.changed();
    return step;
  }

  /** Carries out an operation: one step of the history. Resolves with it when it is sent. */
  async do(given: Omit<S, "id" | "at">): Promise<S> {
    const step = this.record(given);
    await this.bring(this.client.show(step.changes, { step, from: null }), this.options.pauseMs);
    return step;
  }

  /** Undoes the last step. Resolves with true if there was one and it was undone. */
  undo = (): Promise<boolean> => this.play("done");

  redo = (): Promise<boolean> => this.play("undone");

  private async play(from: Side): Promise<boolean> {
    if (this.resuming) await this.resuming;
    while (this.unrecorded.size > 0) await Promise.all(this.unrecorded);
    const played = moved(this.history, from);
    this.client.onStep?.(played?.step ?? null, from);
    if (!played) return false;
    const { step } = played;
    this.history = played.history;
    const { takeBack, again } = step;
    if (takeBack) await this.inOrder(() => this.takeBack(step, takeBack));
    else if (again) await this.inOrder(() => this.doAgain(step, again));
    else {
      const changes = from === "done" ? reversed(step.changes) : step.changes;
      await this.bring(this.client.show(changes, { step, from }));
    }
    this.client.changed();
    return !this.history[from].some(({ id }) => id === step.id);
  }

  private async takeBack(step: S, act: () => Promise<unknown>): Promise<void> {
    try {
      // The server refuses to undo an act while what came after it is still there.
      await this.outbox.settled();
      await act();
      this.history = takenBack(this.history, step.id);
    } catch (error) {
      this.history = putBack(this.history, step, "done");
      this.client.onNotTakenBack?.(error);
    }
    this.client.changed();
  }

  private async doAgain(step: S, act: NonNullable<Step["again"]>): Promise<void> {
    try {
      await this.outbox.settled();
      const done = await act();
      this.history = mapped(this.history, (one) => {
        if (one.id !== step.id) return one;
        return done && { ...one, ...done };
      });
    } catch (error) {
      this.history = putBack(this.history, step, "undone");
      this.client.onNotDoneAgain?.(error);
    }
    this.client.changed();
  }

  /** Undoes or redoes to the state right after a step. An unknown one means the first state. */
  async goTo(id: number): Promise<void> {
    const steps = stepsTo(this.history, id);
    for (let left = Math.abs(steps); left > 0; left -= 1) {
      if (!(await this.play(steps > 0 ? "done" : "undone"))) return;
    }
  }

  /** Undo and redo wait for this work, because they start from what it records. */
  async inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = Promise.all(this.unrecorded);
    const doing = before.then(work);
    const settled = doing.then(
      () => undefined,
      () => undefined,
    );
    this.unrecorded.add(settled);
    try {
      return await doing;
    } finally {
      this.unrecorded.delete(settled);
      this.client.changed();
    }
  }

  // --- sending

  /**
   * Sends what is due, in the turn of its rows. Changes of these rows that wait in their pause are
   * sent before it.
   */
  bring(due: Due, pauseMs = 0): Promise<void> {
    if (due.rows.length === 0) return Promise.resolve();
    if (pauseMs > 0 && due.group === "") {
      for (const row of due.rows) this.pauses.begin(row, pauseMs);
      return Promise.resolve();
    }
    this.pauses.end(due.rows);
    return this.inTurn(due.rows, () => this.sendAll(due));
  }

  private async sendAll(due: Due): Promise<void> {
    for (let call = this.client.next(due); call; call = this.client.next(due)) {
      await this.deliver(this.outbox.send(call), call);
    }
  }

  /** Ends the pauses of these rows. */
  hurry(rows: readonly string[]): void {
    this.pauses.end(rows);
  }

  isPaused(row: string): boolean {
    return this.pauses.has(row);
  }

  /** Sends one call that no row shows, such as a new row's. Rejects with its refusal. */
  sendAlone(call: SentCall): Promise<Answer> {
    const answer = this.outbox.send(call);
    return this.deliver(answer, call).then(() => answer);
  }

  private async deliver(sent: Promise<Answer>, call: SentCall): Promise<void> {
    let answer: Answer;
    try {
      answer = await sent;
    } catch (error) {
      this.client.refused(call, error);
      this.keep();
      return;
    }
    this.client.accepted(call, answer);
    // What is wanted now starts from another state of the server.
    this.keep();
  }

  inTurn<Result>(rows: readonly string[], work: () => Promise<Result>): Promise<Result> {
    return this.outbox.inTurn(this.turnOf(rows), work);
  }

  private turnOf(rows: readonly string[]): readonly string[] {
    return this.options.inOneTurn ? ONE_TURN : rows;
  }

  // --- over a reload

  /** Takes up the steps of this tab, and what it and closed tabs had not sent. */
  resume(): Promise<void> {
    this.recallSteps();
    const resuming = this.takeUp().finally(() => {
      if (this.resuming === resuming) this.resuming = null;
    });
    this.resuming = resuming;
    return resuming;
  }

  private async takeUp(): Promise<void> {
    for (const { calls, beside } of await this.outbox.takeLeft()) {
      // The server may have carried these out: their answers come first.
      for (const call of calls) {
        void this.inTurn(call.rows, async () => {
          await this.deliver(this.outbox.untilAnswered(call), call);
          await this.sendAll(call);
        });
      }
      const due = beside ? this.client.resume(beside, calls) : [];
      for (const one of due) void this.bring(one);
    }
  }

  private recallSteps(): void {
    const kept = this.tab.recall();
    if (!kept) return;
    this.history = mapped(joined(kept.history, this.history), (step) => this.revived(step));
    if (kept.about) this.client.recall?.(kept.about);
    this.client.changed();
  }

  /** Keeps the steps for the next page of this tab. */
  keepSteps(): void {
    this.tab.keep(this.history, (rows) => this.client.remember?.(rows) ?? null);
  }

  /** The page is shown again: what it kept would be out of date after its next step. */
  dropStepsOfPage(): void {
    if (this.tab.isRecalled) this.tab.drop();
  }

  /** Its owner ends before the page: nobody takes its steps up. */
  dropSteps(): void {
    this.tab.drop();
  }

  private revived(step: S): S {
    const { acts } = step;
    if (!acts || step.takeBack) return step;
    const takeBack = async () => {
      try {
        const told = await undoServerActs(acts);
        this.client.onTakenBack?.(step, told);
      } finally {
        this.client.refresh?.();
      }
    };
    return { ...step, takeBack };
  }

  /** Keeps what is unsent now. */
  keep(): void {
    this.outbox.keep();
  }

  /** Starts anew: what is on its way is not heard of any more. */
  forget(): void {
    this.outbox.forget();
  }

  private clear(): void {
    this.pauses.clear();
    this.unrecorded.clear();
    this.history = emptyHistory;
    this.client.forget();
  }
}
