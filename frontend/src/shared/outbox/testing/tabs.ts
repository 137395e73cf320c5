/** Tabs of one browser with their outboxes, and a server that keeps what arrives. */
import { ApiError, connectionError } from "@/shared/api/errors";
import { KeptRequests } from "../keptRequests";
import { Outbox, type Sendable } from "../outbox";
import type { NewRequest, Unsent } from "../unsent";
import type { Dice } from "./random";

const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));
const never = new Promise<never>(() => undefined);

/** A server with rows: each request appends its value to one. */
export class RowServer {
  readonly rows = new Map<string, number[]>();
  isDown = false;
  /** So many answers are lost on their way back. */
  lost = 0;
  /** The person whose session has not ended. */
  person: number | null = 1;
  refuses = (_value: number): boolean => false;
  /** Milliseconds until a request arrives. */
  takes = (): number => 0;
  private readonly answers = new Map<string, ApiError | null>();

  async carryOut({ key, rows, body, person }: Unsent): Promise<unknown[]> {
    await pause(this.takes());
    if (this.isDown) throw connectionError(null);
    if (this.person !== person) {
      throw new ApiError("NOT_AUTHENTICATED", "Sign in.", { status: 401 });
    }
    if (!this.answers.has(key)) this.answers.set(key, this.take(rows[0] ?? "", body));
    if (this.lost > 0) {
      this.lost -= 1;
      throw connectionError(null);
    }
    await pause();
    const refusal = this.answers.get(key);
    if (refusal) throw refusal;
    return [{ row: rows[0] }];
  }

  private take(row: string, body: object | undefined): ApiError | null {
    const { value } = body as { value: number };
    if (this.refuses(value)) return new ApiError("REFUSED", "It is odd.", { status: 409 });
    this.rows.set(row, [...(this.rows.get(row) ?? []), value]);
    return null;
  }
}

/** Locks for all tabs, as the browser gives them: first come, first served. */
class Locks {
  private last: Promise<unknown> = Promise.resolve();
  request = ((_name: string, work: () => Promise<unknown>) => {
    this.last = this.last.then(work);
    return this.last;
  }) as LockManager["request"]; // the form that is used
}

type Hears = (event: { data: unknown }) => void;

/** Channels between tabs. */
class Channels {
  private readonly open = new Set<{ hears: Hears[] }>();
  make(): BroadcastChannel {
    const own = { hears: [] as Hears[] };
    this.open.add(own);
    return {
      addEventListener: (_: string, hears: Hears) => own.hears.push(hears),
      close: () => this.open.delete(own),
      postMessage: (data: unknown) => {
        const others = [...this.open].filter((one) => one !== own);
        for (const { hears } of others)
          setTimeout(() => hears.forEach((hear) => void hear({ data: structuredClone(data) })));
      },
    } as unknown as BroadcastChannel; // what the outbox uses of it
  }
}

export class Browser {
  readonly tabs = new Set<Outbox>();
  isFull = false;
  /** What was read is this old when it arrives. */
  readMs = 0;
  /** Who is signed in, in all tabs; and what was sent of somebody else. */
  person: number | null = null;
  readonly ofOthers: string[] = [];
  private readonly locks = new Locks();
  private readonly channels = new Channels();

  constructor(readonly server: { carryOut: (request: Sendable) => Promise<unknown[]> }) {}

  open(person: number): Outbox {
    this.person = person;
    const kept = new KeptRequests();
    const tab: Outbox = new Outbox({
      kept: {
        of: async (whose) => {
          const found = await kept.of(whose);
          await pause(this.readMs);
          return found;
        },
        change: (...given) => kept.change(...given),
        swap: async (keys, next) => {
          if (this.isFull && next.length > 0) throw new DOMException("Full", "QuotaExceededError");
          return kept.swap(keys, next);
        },
        drop: (keys) => kept.drop(keys),
        close: () => kept.close(),
      },
      channel: this.channels.make(),
      locks: this.locks,
      // Nobody hears an answer in a closed tab.
      send: async (request) => {
        if (request.person !== this.person) this.ofOthers.push(request.words);
        try {
          const rows = await this.server.carryOut(request);
          return this.tabs.has(tab) ? rows : await never;
        } catch (error) {
          if (!this.tabs.has(tab)) await never;
          throw error;
        }
      },
    });
    this.tabs.add(tab);
    void tab.open(person);
    return tab;
  }

  /** Signs another person in, in all tabs. */
  async signIn(person: number): Promise<void> {
    this.person = person;
    await Promise.all([...this.tabs].map((tab) => tab.open(person)));
  }

  shut(tab: Outbox): void {
    this.tabs.delete(tab);
    tab.end();
  }

  one(dice: Dice): Outbox {
    return dice.one([...this.tabs]);
  }
}

/** An act that appends a value to a row. */
export const appending = (row: string, value: number): NewRequest => ({
  method: "POST",
  path: `rows/${row}`,
  body: { value },
  kind: "numbers",
  rows: [row, `${row} ${value}`],
  words: `Append ${value} to ${row}`,
  to: `/rows/${row}`,
});

/** Lets what is under way come to its end. */
export async function settled(isDone: () => boolean | Promise<boolean>, act = () => undefined) {
  for (let turns = 0; turns < 2_000; turns += 1) {
    if (await isDone()) return;
    act();
    await pause(1);
  }
  throw new Error("It does not come to an end");
}

export { pause };
