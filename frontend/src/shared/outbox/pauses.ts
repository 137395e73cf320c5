/** Rows that wait a moment before they are sent, so that quick changes of a row become one call. */
export class Pauses {
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** `over` is called when the pause of a row ends. */
  constructor(private readonly over: (row: string) => void) {}

  get size(): number {
    return this.timers.size;
  }

  has(row: string): boolean {
    return this.timers.has(row);
  }

  /** Begins the pause of a row, or begins it anew. */
  begin(row: string, ms: number): void {
    clearTimeout(this.timers.get(row));
    this.timers.set(
      row,
      setTimeout(() => this.end([row]), ms),
    );
  }

  /** Ends the pauses of these rows now. */
  end(rows: readonly string[]): void {
    for (const row of rows) {
      const timer = this.timers.get(row);
      if (timer === undefined) continue;
      clearTimeout(timer);
      this.timers.delete(row);
      this.over(row);
    }
  }

  clear(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }
}
