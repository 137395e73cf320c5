/**
 * The last answers to a person's queries, kept in this browser: what pages show while the server
 * cannot be reached. They leave with their person.
 */
import {
  notifyManager,
  type Query,
  type QueryClient,
  type QueryFunctionContext,
  type QueryKey,
} from "@tanstack/react-query";
import type { DBSchema } from "idb";
import { databaseOf } from "@/shared/lib/database";
import { isAway, noteShownAsOf, onLineLost } from "@/shared/lib/line";
import { log } from "@/shared/lib/log";
import { heldPerson, onPersonForgotten, type Seat } from "@/shared/lib/person";
import { problemText } from "@/shared/lib/problem";

const MOST_KEPT = 2_000;
/** Answers come in crowds, and a browser writes one crowd as fast as one answer. */
const KEEP_AFTER_MS = 1_000;

/** `kind`: the first two members of the query's key. */
type Kept = {
  person: Seat;
  hash: string;
  kind: string;
  key: QueryKey;
  data: unknown;
  at: number;
  stays?: boolean | undefined;
};

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      fromOthers?: FromOthers;
      /** Kinds of answers that it is made of, in place of its own. */
      others?: readonly QueryKey[];
      /** It is the plan of an act, which holds only while its page is open: it is not kept. */
      isPlan?: boolean;
      /** It leaves no room to newer answers. */
      stays?: boolean;
      /** Its answer has a place of its own: nothing waits for it (`Settled`). */
      movesNothing?: boolean;
    };
  }
}

/** Makes an answer of kept answers, the newest first; undefined: none. */
export type FromOthers = (others: readonly Pick<Kept, "key" | "data">[]) => unknown;

interface Records extends DBSchema {
  answers: {
    key: [person: Seat, hash: string];
    value: Kept;
    indexes: { kind: [person: Seat, kind: string]; at: number };
  };
}

const kindOf = (key: QueryKey): string => JSON.stringify(key.slice(0, 2));

const { open } = databaseOf<Records>("brickstow_answers", (database) => {
  const answers = database.createObjectStore("answers", { keyPath: ["person", "hash"] });
  answers.createIndex("kind", ["person", "kind"]);
  answers.createIndex("at", "at");
});

/** Keeps what the queries of this client are answered, for the person who is signed in. */
export function keepAnswers(client: QueryClient): void {
  const unkept = new Map<string, Query>();
  let isPlanned = false;
  const flush = () => {
    isPlanned = false;
    const person = heldPerson();
    const queries = [...unkept.values()];
    unkept.clear();
    if (person === null || queries.length === 0) return;
    keep(person, queries).catch((error) => {
      log.warn(`Answers are not kept: ${problemText(error)}`);
      // What is unsent has more need of the room.
      void erase();
    });
  };
  client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success") return;
    if (event.query.meta?.isPlan) return;
    unkept.set(event.query.queryHash, event.query);
    if (!isPlanned) setTimeout(flush, KEEP_AFTER_MS);
    isPlanned = true;
  });
  window.addEventListener("pagehide", flush);
  onPersonForgotten(() => {
    unkept.clear();
    void erase();
  });
  if (heldPerson() === null) void erase();
}

async function keep(person: Seat, queries: readonly Query[]): Promise<void> {
  const writing = (await open()).transaction("answers", "readwrite");
  const putting = queries.map(async ({ queryHash: hash, queryKey: key, state, meta }) => {
    const kept = {
      person,
      hash,
      kind: kindOf(key),
      key,
      data: state.data,
      at: state.dataUpdatedAt,
      stays: meta?.stays,
    };
    await writing.store.put(kept);
  });
  // One that no browser can keep (a function in it) costs no other.
  await Promise.allSettled(putting);
  let excess = (await writing.store.count()) - MOST_KEPT;
  let oldest = excess > 0 ? await writing.store.index("at").openCursor() : null;
  for (; oldest && excess > 0; oldest = await oldest.continue()) {
    if (oldest.value.stays) continue;
    await oldest.delete();
    excess -= 1;
  }
  await writing.done;
}

async function erase(): Promise<void> {
  try {
    await (await open()).clear("answers");
  } catch (error) {
    log.warn(`Kept answers are not erased: ${problemText(error)}`);
  }
}

/** What is known of the answer: by this page, by this browser, or by answers to like questions. */
async function find(query: Query): Promise<Answer | null> {
  const { state, queryHash, queryKey, meta } = query;
  if (state.data !== undefined) return { data: state.data, at: state.dataUpdatedAt };
  const person = heldPerson();
  if (person === null || meta?.isPlan) return null;
  try {
    const database = await open();
    const kept = await database.get("answers", [person, queryHash]);
    if (kept || !meta?.fromOthers) return kept ?? null;
    const kinds = (meta.others ?? [queryKey]).map(kindOf);
    const found = kinds.map((kind) => database.getAllFromIndex("answers", "kind", [person, kind]));
    const others = (await Promise.all(found)).flat();
    others.sort((a, b) => b.at - a.at);
    const data = meta.fromOthers(others);
    return data === undefined ? null : { data, at: others[0]?.at ?? Date.now() };
  } catch (error) {
    log.warn(`Kept answers cannot be read: ${problemText(error)}`);
    return null;
  }
}

type Answer = { data: unknown; at: number };

/**
 * How each query is asked: the server first. While it is out of reach, the last answer takes the
 * place of an error.
 */
export async function askOrRecall<Key extends QueryKey>(
  ask: (context: QueryFunctionContext<Key, never>) => unknown,
  context: QueryFunctionContext<Key, never>,
  query: Query,
): Promise<unknown> {
  const show = ({ data, at }: { data: unknown; at: number | null }) => {
    if (at !== null && isAway()) {
      noteShownAsOf(at);
      // The library notes the time of now.
      notifyManager.schedule(() => query.setState({ dataUpdatedAt: at }));
    }
    return data;
  };
  let stop = () => {};
  // A request may hang while the line is lost: what is known by then is shown meanwhile. What a
  // page shows already, and what an act asks for, waits for the server as long as it may answer.
  const isBlank = query.state.data === undefined && query.getObserversCount() > 0;
  const lost =
    isAway() && isBlank
      ? Promise.resolve()
      : new Promise<void>((resolve) => {
          stop = onLineLost(resolve);
        });
  const recalled = lost.then(() => find(query));
  const asked = (async () => ({ data: await ask(context), at: null }))();
  try {
    return show((await Promise.race([asked, recalled])) ?? (await asked));
  } catch (error) {
    const found = isAway() ? await find(query) : null;
    if (!found) throw error;
    return show(found);
  } finally {
    stop();
  }
}
