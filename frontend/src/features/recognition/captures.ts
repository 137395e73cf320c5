import { api } from "@/shared/api/client";
import type { Candidate } from "./model";

/**
 * Keeps what the picture showed, as the person said: the next one like it is recognised by it.
 * Nothing waits for it, and nothing is lost without it.
 */
export function keepCapture(candidates: readonly Candidate[], itemId: number): void {
  const [first] = candidates;
  if (!first?.capture) return;
  const body = { capture: first.capture, item_id: itemId, seen_number: first.item_number };
  api.post("recognition/captures", { body }).catch(() => undefined);
}
