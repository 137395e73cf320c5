import { api } from "@/shared/api/client";
import { hasOutsideRecogniser } from "@/shared/lib/pageMeta";
import type { LookupType } from "./model";
import type { Ask } from "./recognizer";

/** Longer than the server waits for the recogniser. */
const TIMEOUT_MS = 22_000;

const OWN = "Brickstow";
const OUTSIDE = "Brickognize";

/** What our own recogniser knows nothing of. */
const OUTSIDE_ONLY: ReadonlySet<LookupType> = new Set(["MINIFIG", "SET"]);

/** Asks the server once: the next frame is the retry, and waiting would hold the hand. */
export const identify: Ask = (...given) => asked(given, false);

/** The same, naming each piece of the picture. */
export const identifyPieces: Ask = (...given) => asked(given, true);

const fileOf = (picture: Blob) => new File([picture], "picture.jpg", { type: picture.type });

/** The one outside is asked apart, so that our own is not held up by it. */
function asked(given: Parameters<Ask>, everyPiece: boolean): ReturnType<Ask> {
  const [, lookup] = given;
  if (!hasOutsideRecogniser()) return [{ name: OWN, answer: answered(given, everyPiece, "OWN") }];
  const outside = { name: OUTSIDE, answer: answered(given, everyPiece, "OUTSIDE") };
  if (OUTSIDE_ONLY.has(lookup)) return [outside];
  return [{ name: OWN, answer: answered(given, everyPiece, "OWN") }, outside];
}

async function answered(
  [picture, lookup, signal, beside]: Parameters<Ask>,
  everyPiece: boolean,
  recogniser: "OWN" | "OUTSIDE",
) {
  const form = {
    file: fileOf(picture),
    ...(recogniser === "OWN" && {
      ...(beside.second && { second: fileOf(beside.second) }),
      ...(beside.grams && { grams: beside.grams }),
      ...(beside.among && !beside.amongAll && { item_ids: beside.among.itemIds }),
      ...(everyPiece && { every_piece: true }),
    }),
    lookup_type: lookup,
    recogniser,
  };
  const config = { signal, retry: false, timeoutMs: TIMEOUT_MS };
  return (await api.post("recognition/identify", { form, ...config })).data;
}
