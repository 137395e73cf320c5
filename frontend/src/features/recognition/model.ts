/** What a recogniser saw, as the wire carries it. */
import type { Schema } from "@/shared/api/wire";
import type { ClientState } from "@/shared/store/schema";

export type LookupType = ClientState["options"]["lookupType"];

export const lookupTypes: readonly { value: LookupType; label: string }[] = [
  { value: "PART", label: "Part" },
  { value: "MINIFIG", label: "Minifig" },
  { value: "SET", label: "Set" },
  { value: "ANY", label: "Any" },
];

/** An identified item, best first; ids are null where the catalogue does not know it. */
export type Candidate = Schema<"CandidateRow">;

export type KnownCandidate = Candidate & { id: number; item_id: number };

export const isKnown = (candidate: Candidate): candidate is KnownCandidate => candidate.id !== null;

/** Whether a part is seen there at all: without one, Enter adds nothing. */
export type Presence = Candidate["presence"];

export const presenceOf = ([first]: readonly Candidate[]): Presence => first?.presence ?? "NOTHING";

/** What is said of a picture, the same at the station and in a search. */
export const presenceTexts: Record<Presence, string> = {
  PART: "Look at the matches",
  UNSURE: "Not sure: turn it",
  NOTHING: "No part seen. Put one part on the empty ground.",
};

/** From here on a colour is hardly ever another one. */
const SURE_COLOR = 0.8;

/** A colour that scores so much less than the best is not taken for it. */
const NEAR = 0.15;

/**
 * The colour that is meant: the likeliest one, unless the item is not known in it and another one
 * that it is known in is nearly as likely.
 */
export function likelyColor({ colors, lots }: Candidate): number | null {
  const named = colors.filter(({ color_id }) => color_id !== null);
  const [best] = named;
  if (!best) return null;
  const known = new Set<number | null>(lots.map(({ color_id }) => color_id));
  if (best.score >= SURE_COLOR || known.has(best.color_id)) return best.color_id;
  const near = named.find(
    ({ color_id, score }) => known.has(color_id) && score >= best.score - NEAR,
  );
  return (near ?? best).color_id;
}

/** Whether a picture came from a file or from the camera: the dialogs differ. */
export type Source = "image" | "webcam";
