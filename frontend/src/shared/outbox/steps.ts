/**
 * The steps of a person: each can be undone and redone, in the order that he did them, also after a
 * reload. How a step is shown and sent is its owner's.
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
import { undoServerActs } from "./serverActs";

/** Why values are shown: a step, and for undo and redo the side that it comes from. */
export type Cause<S> = { step: S; from: Side | null };

/** Who is told of steps. */
export type StepsTold<S, About> = {
  /** What undo and redo need to know of these rows, to be kept over a reload. */
  remember?: (rows: readonly string[]) => About | null;
  /** Takes it up. The history has its steps already. */
  recall?: (remembered: About) => void;
  /** An act that was recorded before the reload was undone: `told` is what to say of it. */
  onTakenBack?: (step: S, told: string | undefined) => void;
  /** Fetches what the undo of such an act has made stale, also where it failed midway. */
  refresh?: () => unknown;
  /** An undo or redo begins; null: there is no step on this side. */
  onStep?: (step: S | null, from: Side) => void;
  /** An act of the server could not be undone. */
  onNotTakenBack?: (error: unknown) => void;
  onNotDoneAgain?: (error: unknown) => void;
  /** The history or what is under way has changed. */
  changed: () => void;
};

export abstract class Steps<S extends Step<C>, C extends Change, About = never> {
  history: History<S> = emptyHistory;
  /** Acts whose results the next undo or redo starts from. */
  protected readonly unrecorded = new Set<Promise<unknown>>();
  private readonly tab: StepsOfTab<S, About>;
  private count = 0;

  constructor(
    name: string,
    private readonly told: StepsTold<S, About>,
  ) {
    this.tab = new StepsOfTab(name);
  }

  /** Shows changes at once and sends them. Resolves once they are answered. */
  protected abstract carryOut(changes: readonly C[], cause: Cause<S>): Promise<unknown>;

  /** Resolves once all that is under way now is answered. */
  protected abstract settled(): Promise<unknown>;

  /** Resolves once the first undo may begin. */
  protected ready(): Promise<unknown> | undefined {
    return undefined;
  }

  nextId(): number {
    this.count += 1;
    return this.count;
  }

  /** Records a step of the history that shows already. */
  record(given: Omit<S, "id" | "at">): S {
    const step = { ...given, id: this.nextId(), at: Date.now() } as S; // the two fields left out
    this.history = recorded(this.history, step);
    this.told.changed();
    return step;
  }

  /** Carries out an operation: one step of the history. Resolves with it when it is sent. */
  async do(given: Omit<S, "id" | "at">): Promise<S> {
    const step = this.record(given);
    await this.carryOut(step.changes, { step, from: null });
    return step;
  }

  /** Undoes the last step. Resolves with true if there was one and it was undone. */
  undo = (): Promise<boolean> => this.play("done");

  redo = (): Promise<boolean> => this.play("undone");

  private async play(from: Side): Promise<boolean> {
    const ready = this.ready();
    if (ready) await ready;
    while (this.unrecorded.size > 0) await Promise.all(this.unrecorded);
    const played = moved(this.history, from);
    this.told.onStep?.(played?.step ?? null, from);
    if (!played) return false;
    const { step } = played;
    this.history = played.history;
    const { takeBack, again } = step;
    if (takeBack) await this.inOrder(() => this.takeBack(step, takeBack));
    else if (again) await this.inOrder(() => this.doAgain(step, again));
    else {
      const changes = from === "done" ? reversed(step.changes) : step.changes;
      await this.carryOut(changes, { step, from });
    }
    this.told.changed();
    return !this.history[from].some(({ id }) => id === step.id);
  }

  private async takeBack(step: S, act: () => Promise<unknown>): Promise<void> {
    try {
      // The server refuses to undo an act while what came after it is still there.
      await this.settled();
      await act();
      this.history = takenBack(this.history, step.id);
    } catch (error) {
      this.history = putBack(this.history, step, "done");
      this.told.onNotTakenBack?.(error);
    }
    this.told.changed();
  }

  private async doAgain(step: S, act: NonNullable<Step["again"]>): Promise<void> {
    try {
      await this.settled();
      const done = await act();
      this.history = mapped(this.history, (one) => {
        if (one.id !== step.id) return one;
        return done && { ...one, ...done };
      });
    } catch (error) {
      this.history = putBack(this.history, step, "undone");
      this.told.onNotDoneAgain?.(error);
    }
    this.told.changed();
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
      this.told.changed();
    }
  }

  // --- over a reload

  recallSteps(): void {
    const kept = this.tab.recall();
    if (!kept) return;
    this.history = mapped(joined(kept.history, this.history), (step) => this.revived(step));
    if (kept.about) this.told.recall?.(kept.about);
    this.told.changed();
  }

  /** Keeps the steps for the next page of this tab. */
  keepSteps(): void {
    this.tab.keep(this.history, (rows) => this.told.remember?.(rows) ?? null);
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
        this.told.onTakenBack?.(step, told);
      } finally {
        this.told.refresh?.();
      }
    };
    return { ...step, takeBack };
  }

  protected clearSteps(): void {
    this.unrecorded.clear();
    this.history = emptyHistory;
  }
}
