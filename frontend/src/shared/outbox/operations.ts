/**
 * What a person does to rows: each operation shows at once, is sent in the turn of its rows, and
 * can be undone and redone. Its client says what a row shows and what the server lacks of it; what
 * is sent is worked out only when the row's turn comes. So operations of one row go one after the
 * other, an undo waits for the answer of what it undoes, quick changes become one call, and what
 * is undone before it was sent is never sent.
 */

import type { Change, Step } from "./history";
import { Pauses } from "./pauses";
import type { WaitsFor } from "./reach";
import { type Cause, Steps, type StepsTold } from "./steps";
import { createOutbox, type Kept } from "./tabCalls";

/** Rows to be sent. `group`: they go together, apart from the other changes of these rows. */
export type Due = { rows: readonly string[]; group: string };

/** A call to the server: plain data, sent the same to the letter until it is answered. */
export type Call = Due & { key: string };

export type Client<
  S extends Step<C>,
  C extends Change,
  SentCall extends Call,
  Answer,
  Wanted,
> = StepsTold<S, Wanted> & {
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
  onNotKept?: (error: unknown) => void;
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
> extends Steps<S, C, Wanted> {
  readonly outbox;
  private readonly pauses = new Pauses((row) => void this.bring({ rows: [row], group: "" }));
  /** While unsent changes of the page before are taken up. */
  private resuming: Promise<void> | null = null;

  constructor(
    private readonly options: OperationsOptions<SentCall, Wanted>,
    private readonly client: Client<S, C, SentCall, Answer, Wanted>,
  ) {
    super(options.name, client);
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

  get isBusy(): boolean {
    return this.outbox.isBusy() || this.pauses.size > 0 || this.unrecorded.size > 0;
  }

  protected override carryOut(changes: readonly C[], cause: Cause<S>): Promise<void> {
    return this.bring(this.client.show(changes, cause), cause.from ? 0 : this.options.pauseMs);
  }

  protected override settled(): Promise<void> {
    return this.outbox.settled();
  }

  protected override ready(): Promise<void> | undefined {
    return this.resuming ?? undefined;
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
    this.clearSteps();
    this.client.forget();
  }
}
