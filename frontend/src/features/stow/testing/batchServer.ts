/** A server in memory that keeps rows of a batch, and carries each request out once. */
import { ApiError, connectionError } from "@/shared/api/errors";
import type { Sendable } from "@/shared/outbox/outbox";

export type Stored = { id: number; qty: number; binId: number | null; isStowed: boolean };

type Body = {
  qty?: number;
  change?: number;
  user_inventory_item_location_id?: number | null;
  top_up?: boolean;
  items?: number[];
};

export class BatchServer {
  readonly rows = new Map<number, Stored>();
  /** What arrived, in words. */
  readonly calls: string[] = [];
  /** What each call is answered; the call is not carried out. */
  refusal: Error | null = null;
  refuses = (_qty: number): boolean => false;
  /** So many answers are lost on their way back. */
  lost = 0;
  takes = (): number => 0;
  private readonly answers = new Map<string, unknown[]>();
  private made = 0;
  private gate: { open: Promise<void>; release: () => void } | null = null;

  /** Answers nothing until `release`. */
  hold(): void {
    let release = () => {};
    const open = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.gate = { open, release };
  }
  release(): void {
    this.gate?.release();
    this.gate = null;
  }

  async carryOut(request: Sendable): Promise<unknown[]> {
    const body = (request.body ?? {}) as Body;
    const ms = this.takes();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    if (this.refusal) throw this.refusal;
    this.calls.push(wordsOf(request, body));
    await this.gate?.open;
    const answer = this.answers.get(request.key) ?? this.act(request, body);
    this.answers.set(request.key, answer);
    if (this.lost > 0) {
      this.lost -= 1;
      throw connectionError(null);
    }
    return answer;
  }

  put(stored: Stored): Stored {
    if (this.refuses(stored.qty)) throw new ApiError("REFUSED", "Refused.", { status: 409 });
    this.rows.set(stored.id, stored);
    return stored;
  }

  private act({ path, method }: Sendable, body: Body): unknown[] {
    const binId = body.user_inventory_item_location_id ?? null;
    if (path === "batchItems") {
      const { qty = 0 } = body;
      const there = [...this.rows.values()].find((one) => !one.isStowed && one.binId === binId);
      if (body.top_up && there) {
        return [{ ...rowOf(this.put({ ...there, qty: there.qty + qty })), is_topped_up: true }];
      }
      this.made += 1;
      return [rowOf(this.put({ id: this.made, qty, binId, isStowed: false }))];
    }
    if (path.endsWith("/stow") || path.endsWith("/remove")) {
      const isStowed = path.endsWith("/stow");
      for (const id of body.items ?? []) this.put({ ...this.found(id), isStowed });
      return [{ items: body.items, failed: [] }];
    }
    const row = this.found(Number(path.split("/")[1]));
    if (method === "PATCH") return [rowOf(this.put({ ...row, binId }))];
    const qty = row.qty + (body.change ?? 0);
    if (qty > 0) return [rowOf(this.put({ ...row, qty }))];
    this.rows.delete(row.id);
    return [];
  }

  private found(id: number): Stored {
    const row = this.rows.get(id);
    if (!row) throw new ApiError("NOT_FOUND", "Not found.", { status: 404 });
    return row;
  }
}

/** A row as the real server answers it. */
const rowOf = ({ id, qty, binId, isStowed }: Stored) => ({
  id,
  qty,
  user_inventory_item_location_id: binId,
  user_inventory_item_location_name: binId === null ? null : `bin ${binId}`,
  is_stowed: isStowed,
});

function wordsOf({ path, method }: Sendable, { qty, change }: Body): string {
  if (path === "batchItems") return `add ${qty}`;
  if (change !== undefined) return `count ${change}`;
  return method === "PATCH" ? "bin" : (path.split("/").at(-1) ?? path);
}
