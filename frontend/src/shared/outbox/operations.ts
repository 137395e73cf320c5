/**
 * What a person does to rows: each operation shows at once, is sent in the turn of its rows, and
 * can be undone and redone. Its client says what a row shows and what the server lacks of it; what
 * is sent is worked out only when the row's turn comes. So operations of one row go one after the
 * other, an undo waits for the answer of what it undoes, changes that wait become one call, and what
 * is undone before its turn is never sent.
 */

import type { Change, Step } from "./history";
import type { WaitsFor } from "./reach";
import { type Cause, Steps, type StepsTold } from "./steps";
import { createOutbox } from "./tabCalls";

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

export type OperationsOptions = {
  /** The name of the setting that keeps what is unsent. */
  name: string;
  /** All calls go one after the other, not only those of one row. */
  inOneTurn?: boolean;
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
  /** While unsent changes of the page before are taken up. */
  private resuming: Promise<void> | null = null;

  constructor(
    private readonly options: OperationsOptions,
    private readonly client: Client<S, C, SentCall, Answer, Wanted>,
  ) {
    super(options.name, client);
    this.outbox = createOutbox<SentCall, Answer, Wanted>({
      name: options.name,
      send: client.send,
      beside: client.wanted,
      onForgotten: () => this.clear(),
      ...(client.onWaiting && { onWaiting: client.onWaiting }),
      ...(client.onNotKept && { onNotKept: client.onNotKept }),
    });
  }

  get isBusy(): boolean {
    return this.outbox.isBusy() || this.unrecorded.size > 0;
  }

  protected override carryOut(changes: readonly C[], cause: Cause<S>): Promise<void> {
    return this.bring(this.client.show(changes, cause));
  }

  protected override settled(): Promise<void> {
    return this.outbox.settled();
  }

  protected override ready(): Promise<void> | undefined {
    return this.resuming ?? undefined;
  }

  // --- sending

  /** Sends what is due, in the turn of its rows. */
  bring(due: Due): Promise<void> {
    if (due.rows.length === 0) return Promise.resolve();
    return this.inTurn(due.rows, () => this.sendAll(due));
  }

  private async sendAll(due: Due): Promise<void> {
    for (let call = this.client.next(due); call; call = this.client.next(due)) {
      await this.deliver(this.outbox.send(call), call);
    }
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
    this.clearSteps();
    this.client.forget();
  }
}
