/** A lock for each row: the work on it is done one after the other. */
export class Turns {
  private readonly last = new Map<string, Promise<void>>();

  /** Runs `work` once all earlier work on any of these rows is done. First come, first served. */
  async take<Result>(ids: Iterable<string>, work: () => Promise<Result>): Promise<Result> {
    const rows = [...new Set(ids)];
    const before = rows.map((id) => this.last.get(id));
    let release = (): void => undefined;
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Locks all rows at once: locking row by row can deadlock.
    for (const id of rows) this.last.set(id, mine);
    await Promise.all(before);
    try {
      return await work();
    } finally {
      for (const id of rows) if (this.last.get(id) === mine) this.last.delete(id);
      release();
    }
  }

  /** Resolves once the work of now is done on all rows. */
  async settled(): Promise<void> {
    await Promise.all(this.last.values());
  }

  get isBusy(): boolean {
    return this.last.size > 0;
  }
}
