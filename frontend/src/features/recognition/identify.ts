import { api } from "@/shared/api/client";
import type { Ask } from "./recognizer";

/** Longer than the server waits for the recogniser. */
const TIMEOUT_MS = 22_000;

/** Asks the server once: the next frame is the retry, and waiting would hold the hand. */
export const identify: Ask = (...given) => asked(given, false);

/** The same, naming each piece of the picture. */
export const identifyPieces: Ask = (...given) => asked(given, true);

const fileOf = (picture: Blob) => new File([picture], "picture.jpg", { type: picture.type });

async function asked([picture, lookup, signal, beside]: Parameters<Ask>, everyPiece: boolean) {
  const form = {
    file: fileOf(picture),
    ...(beside.second && { second: fileOf(beside.second) }),
    ...(beside.grams && { grams: beside.grams }),
    ...(beside.among && !beside.amongAll && { item_ids: beside.among.itemIds }),
    lookup_type: lookup,
    ...(everyPiece && { every_piece: true }),
  };
  const config = { signal, retry: false, timeoutMs: TIMEOUT_MS };
  return (await api.post("recognition/identify", { form, ...config })).data;
}
