/**
 * One recognition at a time. A new picture ends the one before it, lifting the part ends it too,
 * and a late answer is dropped. Several recognisers may be asked: the first answer is
 * shown at once, and a later one joins it without moving what is shown.
 */

import { createStore, type StoreApi } from "zustand/vanilla";
import { problemText } from "@/shared/lib/problem";
import { memberOf } from "@/shared/lib/records";
import { type Candidate, isKnown, type LookupType, type Source } from "./model";

export type Recognition =
  | { state: "idle" }
  | { state: "asking"; source: Source; askedAt: number; picture: Blob }
  | {
      state: "found";
      source: Source;
      askedAt: number;
      picture: Blob;
      /** Those of the first answer, in the order in which they were shown. */
      candidates: readonly Candidate[];
      /** What only the later answer names. */
      later: readonly Candidate[];
      /** Whose answer comes beside the one that is shown; null where one alone is asked. */
      other: Other | null;
      /** Something of this picture was shown before: what was chosen of it stays. */
      isMore: boolean;
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

/** The second recogniser that is asked; `problem` says why it gave no answer. */
export type Other = { name: string; state: "asked" | "answered" | "failed"; problem: string };

/** All that is named, in the order in which it is shown. */
export const seenOf = (recognition: Recognition): readonly Candidate[] =>
  recognition.state === "found" ? [...recognition.candidates, ...recognition.later] : [];

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
) => readonly [Asking, Asking?];

/** A recogniser that is asked: its name for people, and its answer. The first one's is shown. */
export type Asking = { name: string; answer: Promise<readonly Candidate[]> };

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

type Problem = { text: string; mayRepeat: boolean };

type Answer = { candidates: readonly Candidate[]; problem: Problem | null };

const nothing: Answer = { candidates: [], problem: null };

const answerOf = ({ answer }: Asking): Promise<Answer> =>
  answer.then(
    (candidates) => ({ candidates, problem: null }),
    (error: unknown) => ({
      candidates: [],
      problem: {
        text: problemText(error),
        mayRepeat: !REFUSED.has(String(memberOf(error, "code"))),
      },
    }),
  );

/** The one whose answer is not the one that is shown, and what became of it. */
function otherOf(ours: Answer, theirs: Answer | null, [own, outside]: [string, string]): Other {
  if (!ours.candidates.some(isKnown)) return stateOf(own, ours);
  return theirs ? stateOf(outside, theirs) : { name: outside, state: "asked", problem: "" };
}

function stateOf(name: string, { problem }: Answer): Other {
  return { name, state: problem ? "failed" : "answered", problem: problem?.text ?? "" };
}

const idle: Recognition = { state: "idle" };

export function createRecognizer(ask: Ask): Recognizer {
  const store = createStore<Recognition>(() => idle);
  let flight: AbortController | null = null;

  function identify(picture: Blob, { lookup, source, now: askedAt, beside = {} }: Asked): void {
    flight?.abort();
    const mine = new AbortController();
    flight = mine;
    store.setState({ state: "asking", source, askedAt, picture }, true);
    const [first, second] = ask(picture, lookup, mine.signal, beside);
    let ours: Answer | null = null;
    let theirs: Answer | null = second ? null : nothing;

    const tell = () => {
      if (flight !== mine || !ours) return;
      const list = joined(ours.candidates, theirs?.candidates ?? []);
      if (!theirs && !list.candidates.some(isKnown)) return;
      if (list.candidates.length === 0) {
        const problem = ours.problem ?? theirs?.problem;
        const settled = { source, picture };
        store.setState(
          problem ? { state: "failed", ...settled, ...problem } : { state: "none", ...settled },
          true,
        );
        return;
      }
      const isMore = store.getState().state === "found";
      const other = second ? otherOf(ours, theirs, [first.name, second.name]) : null;
      store.setState(
        { state: "found", source, askedAt, picture, ...list, other, isMore, beside },
        true,
      );
    };
    void answerOf(first).then((answer) => {
      ours = answer;
      tell();
    });
    if (second) {
      void answerOf(second).then((answer) => {
        theirs = answer;
        tell();
      });
    }
  }

  return {
    store,
    identify,
    cancel: () => {
      flight?.abort();
      flight = null;
      store.setState(idle, true);
    },
  };
}

/** Two recognisers' answers about one picture. */
type Joined = {
  /** The answer that is shown first, each in its place, with who else names it. */
  candidates: readonly Candidate[];
  /** What the other answer names besides. */
  later: readonly Candidate[];
};

/**
 * Joins what `ours` and `theirs` name; theirs is about the main piece alone. Ours comes first, so
 * that theirs moves nothing that is shown, unless ours names only what the catalogue does not have.
 */
function joined(ours: readonly Candidate[], theirs: readonly Candidate[]): Joined {
  const [{ capture = "", presence = null } = {}] = ours;
  // Theirs names something in any picture: only ours knows whether a part is there.
  const named = theirs.map((row) => ({ ...row, capture, presence: presence ?? row.presence }));
  if (named.length > 0 && !ours.some(isKnown)) {
    return { candidates: named, later: ours.filter((row) => !sameIn(named, row)) };
  }
  return {
    candidates: ours.map((row) => {
      const other = sameIn(named, row);
      return other ? both(row, other) : row;
    }),
    later: named.filter((row) => !sameIn(ours, row)),
  };
}

const sameIn = (rows: readonly Candidate[], sought: Candidate) =>
  rows.find((row) => row.piece === sought.piece && isSame(row, sought));

function isSame(one: Candidate, other: Candidate): boolean {
  if (isKnown(one) && isKnown(other)) return one.item_id === other.item_id;
  const name = ({ item_type, item_number }: Candidate) =>
    `${item_type} ${item_number.toLowerCase()}`;
  return name(one) === name(other);
}

/** Ours with what theirs adds. The colour stays: the person has seen it. */
function both(ours: Candidate, theirs: Candidate): Candidate {
  return {
    ...ours,
    score: Math.max(ours.score, theirs.score),
    provider: `${ours.provider}, ${theirs.provider}`,
    listing_id: theirs.listing_id,
    external_sites: theirs.external_sites,
  };
}
