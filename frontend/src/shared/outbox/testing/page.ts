/** The smallest client of the operations: rows that hold a number, and a server that keeps them. */
import { connectionError } from "@/shared/api/errors";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import type { Change, Step } from "../history";
import { type Call, type Client, type Due, Operations } from "../operations";
import type { Line } from "./random";

export type NumberChange = Change & { before: number; after: number };
type Values = readonly (readonly [row: string, value: number])[];
type NumberCall = Call & { values: Values };
type Wanted = { value: number; group: string };

export class NumberServer {
  readonly rows = new Map<string, number>();
  /** The values of each call that arrived, in order. */
  readonly calls: Values[] = [];
  refuses = (_value: number): boolean => false;

  constructor(readonly line: Line) {}

  put({ key, values }: NumberCall): Promise<null> {
    return this.line.call(key, () => {
      this.calls.push(values);
      if (values.some(([, value]) => this.refuses(value))) throw new Error("Refused.");
      for (const [row, value] of values) this.rows.set(row, value);
      return null;
    });
  }
}

export const lostLine = () => connectionError(null);

export class NumberPage
  implements Client<Step<NumberChange>, NumberChange, NumberCall, null, [string, Wanted][]>
{
  readonly operations: Operations<
    Step<NumberChange>,
    NumberChange,
    NumberCall,
    null,
    [string, Wanted][]
  >;
  private readonly stored: Map<string, number>;
  private readonly wantedNow = new Map<string, Wanted>();

  constructor(
    private readonly server: NumberServer,
    options: { inOneTurn?: boolean } = {},
  ) {
    this.stored = new Map(server.rows);
    this.operations = new Operations({ name: "numbers", ...options }, this);
  }

  /** Sets rows to a value, as one operation. */
  set(rows: readonly string[], value: number): Promise<unknown> {
    const changes = rows.map((row) => ({ row, before: this.shown(row), after: value }));
    return this.operations.do({ label: `Set ${value}`, changes });
  }

  shown(row: string): number {
    return this.wantedNow.get(row)?.value ?? this.stored.get(row) ?? 0;
  }

  readonly show = (changes: readonly NumberChange[]): Due => {
    const group = changes.length > 1 ? String(this.operations.nextId()) : "";
    for (const { row, after } of changes) this.wantedNow.set(row, { value: after, group });
    this.operations.keep();
    return { rows: changes.map(({ row }) => row), group };
  };

  readonly next = ({ rows, group }: Due): NumberCall | null => {
    const values: [string, number][] = [];
    for (const row of rows) {
      const wanted = this.wantedNow.get(row);
      if (wanted?.group !== group) continue;
      if (wanted.value === this.stored.get(row)) this.wantedNow.delete(row);
      else values.push([row, wanted.value]);
    }
    this.operations.keep();
    return values.length > 0 ? { key: newIdempotencyKey(), rows, group, values } : null;
  };

  readonly send = (call: NumberCall): Promise<null> => this.server.put(call);

  readonly accepted = (call: NumberCall): void => {
    for (const [row, value] of call.values) this.stored.set(row, value);
    this.refused(call);
  };

  readonly refused = ({ values, group }: NumberCall): void => {
    for (const [row, value] of values) {
      const wanted = this.wantedNow.get(row);
      if (wanted?.value === value && wanted.group === group) this.wantedNow.delete(row);
    }
    this.operations.keep();
  };

  readonly wanted = (): [string, Wanted][] | null =>
    this.wantedNow.size > 0 ? [...this.wantedNow] : null;

  readonly resume = (left: readonly [string, Wanted][]): readonly Due[] => {
    for (const [row, wanted] of left) this.wantedNow.set(row, wanted);
    return left.map(([row, { group }]) => ({ rows: [row], group }));
  };

  readonly changed = (): void => undefined;
  readonly forget = (): void => this.wantedNow.clear();
}
