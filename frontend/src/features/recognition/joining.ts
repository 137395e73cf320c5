/** Two recognisers' answers about one picture. */
import { type Candidate, isKnown } from "./model";

export type Joined = {
  /** The answer that is shown first, each in its place, with who else names it. */
  candidates: readonly Candidate[];
  /** What the other answer names besides. */
  later: readonly Candidate[];
};

/**
 * Joins what `ours` and `theirs` name; theirs is about the main piece alone. Ours comes first, so
 * that theirs moves nothing that is shown, unless ours names only what the catalogue does not have.
 */
export function joined(ours: readonly Candidate[], theirs: readonly Candidate[]): Joined {
  const [{ capture = "", presence = null } = {}] = ours;
  // Theirs names something of any picture: whether a part is there, ours tells.
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
