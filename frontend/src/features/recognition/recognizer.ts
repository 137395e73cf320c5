/**
 * One recognition at a time. A new picture ends the one before it, lifting the part ends it too,
 * and what comes late belongs to nobody.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { ApiError } from "@/shared/api/errors";
import { problemText } from "@/shared/lib/problem";
import type { Candidate, LookupType, Source } from "./model";

export type Recognition =
  | { state: "idle" }
  | { state: "asking"; source: Source; askedAt: number; picture: Blob }
  | {
      state: "found";
      source: Source;
      askedAt: number;
      picture: Blob;
      candidates: readonly Candidate[];
      beside: Beside;
    }
  | { state: "none"; source: Source; picture: Blob }
  | {
      state: "failed";
      source: Source;
      picture: Blob;
      text: string;
      /** The same picture may be recognised the next time: it was not the picture's fault. */
      mayRepeat: boolean;
    };

/** What helps beside a picture: the part lying otherwise, its weight, and what the heap can hold. */
export type Beside = {
  second?: Blob | undefined;
  grams?: number | undefined;
  /** The parts that the heap can hold. */
  among?: Among | undefined;
  /** The person wants all parts looked at all the same. */
  amongAll?: boolean | undefined;
};

/** The parts of the sets that a batch came from; `text` names them: "70 parts of 10255-1". */
export type Among = { itemIds: number[]; text: string };

export type Ask = (
  picture: Blob,
  lookup: LookupType,
  signal: AbortSignal,
  beside: Beside,
) => Promise<readonly Candidate[]>;

export type Asked = { lookup: LookupType; source: Source; now: number; beside?: Beside };

export type Recognizer = {
  store: StoreApi<Recognition>;
  /** Asks about a picture; `now` in milliseconds is when it was taken. */
  identify: (picture: Blob, asked: Asked) => void;
  /** Ends what is asked, and forgets what was found. */
  cancel: () => void;
};

/** The picture itself is refused. */
const REFUSED: ReadonlySet<string> = new Set([
  "UNREADABLE_FILE",
  "UNSUPPORTED_MEDIA_TYPE",
  "PAYLOAD_TOO_LARGE",
  "VALIDATION_ERROR",
]);

const idle: Recognition = { state: "idle" };

export function createRecognizer(ask: Ask): Recognizer {
  const store = createStore<Recognition>(() => idle);
  let flight: AbortController | null = null;

  async function identify(
    picture: Blob,
    { lookup, source, now: askedAt, beside = {} }: Asked,
  ): Promise<void> {
    flight?.abort();
    const mine = new AbortController();
    flight = mine;
    store.setState({ state: "asking", source, askedAt, picture }, true);
    const result = await ask(picture, lookup, mine.signal, beside).then(
      (candidates): Recognition =>
        candidates.length > 0
          ? { state: "found", source, askedAt, picture, candidates, beside }
          : { state: "none", source, picture },
      (error: unknown): Recognition => ({
        state: "failed",
        source,
        picture,
        text: problemText(error),
        mayRepeat: !REFUSED.has((error as Partial<ApiError> | null)?.code ?? ""),
      }),
    );
    if (flight !== mine) return;
    flight = null;
    store.setState(result, true);
  }

  return {
    store,
    identify: (picture, asked) => void identify(picture, asked),
    cancel: () => {
      flight?.abort();
      flight = null;
      store.setState(idle, true);
    },
  };
}
