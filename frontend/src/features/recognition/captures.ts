import { api } from "@/shared/api/client";
import type { Candidate } from "./model";

/**
 * Keeps what the picture showed, as the person said: the next one like it is recognised by it.
 * Nothing waits for it, and nothing is lost without it.
 */
export function keepCapture(
  candidates: readonly Candidate[],
  itemId: number,
  colorId: number | null,
): void {
  const [first] = candidates;
  if (!first?.capture) return;
  const { capture, item_number: seen_number } = first;
  const body = { capture, item_id: itemId, color_id: colorId, seen_number };
  api.post("recognition/captures", { body }).catch(() => undefined);
}
