/** Who may write which rows: requests of a row follow one another, so that each has its version. */
import type { RowId } from "../column";

export class RowTurns {
  private readonly last = new Map<RowId, Promise<void>>();

  /** Does `work` once everybody who took any of these rows before is done. First come, first served. */
  async take<Result>(ids: Iterable<RowId>, work: () => Promise<Result>): Promise<Result> {
    const rows = [...new Set(ids)];
    const before = rows.map((id) => this.last.get(id));
    let release = (): void => undefined;
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    // All at once: nobody can hold one row and wait for another that waits for it.
    for (const id of rows) this.last.set(id, mine);
    await Promise.all(before);
    try {
      return await work();
    } finally {
      for (const id of rows) if (this.last.get(id) === mine) this.last.delete(id);
      release();
    }
  }

  /** Resolves when nobody has any of these rows. */
  async free(ids: readonly RowId[]): Promise<void> {
    for (;;) {
      const busy = ids.flatMap((id) => this.last.get(id) ?? []);
      if (busy.length === 0) return;
      await Promise.all(busy);
    }
  }

  get isBusy(): boolean {
    return this.last.size > 0;
  }
}
