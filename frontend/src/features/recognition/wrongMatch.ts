import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { ItemType } from "@/shared/lib/itemTypes";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";
import type { Candidate } from "./model";

/** Keeps that the recogniser was wrong, and what it was if the person has said so. */
export async function reportWrongMatch(
  seen: Candidate,
  right: { item_type: ItemType; item_number: string } | null,
): Promise<void> {
  const body = {
    provider: seen.provider.split(",")[0],
    listing_id: seen.listing_id,
    seen_type: seen.item_type,
    seen_number: seen.item_number,
    score: seen.score,
    ...(right && { right_type: right.item_type, right_number: right.item_number }),
  };
  try {
    const { id } = one(await api.post("recognition/wrongMatches", { body }));
    const takeBack = () => {
      api.delete("recognition/wrongMatches/{id}", { path: { id } }).catch(tellFailure);
    };
    toast.success(
      right
        ? `Reported: ${right.item_number}, not ${seen.item_number}`
        : `Reported: it is not ${seen.item_number}`,
      { action: { label: "Undo", run: takeBack } },
    );
  } catch (error) {
    tellFailure(error);
  }
}
