import { api } from "@/shared/api/client";
import type { Ask } from "./recognizer";

/** Longer than the server waits for the recogniser. */
const TIMEOUT_MS = 22_000;

/** Asks the server once: the next frame is the retry, and waiting would hold the hand. */
export const identify: Ask = (picture, lookup, signal) => asked(picture, lookup, signal, false);

/** The same, naming each piece of the picture. */
export const identifyPieces: Ask = (picture, lookup, signal) =>
  asked(picture, lookup, signal, true);

async function asked(...[picture, lookup, signal, everyPiece]: [...Parameters<Ask>, boolean]) {
  const form = {
    file: new File([picture], "picture.jpg", { type: picture.type }),
    lookup_type: lookup,
    ...(everyPiece && { every_piece: true }),
  };
  const config = { signal, retry: false, timeoutMs: TIMEOUT_MS };
  return (await api.post("recognition/identify", { form, ...config })).data;
}
