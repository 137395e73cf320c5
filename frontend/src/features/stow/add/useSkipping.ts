import { useRef, useState } from "react";
import { DOUBLE_CLICK_MS } from "@/shared/ui/secondPress";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";
import type { StationRecognition } from "../find/useRecognition";
import type { BatchItem, Condition } from "../model";
import { photoOf } from "./skipped";
import { skipPiece } from "./skips";

export type Skipping = {
  /** The skipped piece that is being looked up again. */
  settling: BatchItem | null;
  settle: (skipped: BatchItem | null) => void;
  /**
   * Stores the last captured photo, otherwise the camera's present picture; then calls `onDone`.
   */
  skip: (condition: Condition, onDone: () => void) => void;
};

/** Unidentified pieces: skipped with their photo, and looked up again later. */
export function useSkipping(
  batchId: number | null,
  recognising: Pick<StationRecognition, "recognition" | "camera" | "onPicture">,
): Skipping {
  const skippedAt = useRef(Number.NEGATIVE_INFINITY);
  const [settling, setSettling] = useState<BatchItem | null>(null);

  const keep = async (batch: number, picture: Promise<Blob>, condition: Condition) =>
    skipPiece({ batch, picture: await picture, condition });

  return {
    settling,
    settle: (skipped) => {
      setSettling(skipped);
      if (skipped) recognising.onPicture(photoOf(skipped), "image", Date.now());
    },
    skip: (condition, onDone) => {
      const { recognition, camera } = recognising;
      const picture =
        "picture" in recognition
          ? Promise.resolve(recognition.picture)
          : (camera.current?.photo() ?? null);
      if (batchId === null) return;
      if (!picture) {
        return toast.info("There is no picture of it", {
          detail: "Switch the camera on, or drop a photo first.",
        });
      }
      // No person puts the next piece under the camera this quickly.
      if (performance.now() - skippedAt.current < DOUBLE_CLICK_MS) return;
      skippedAt.current = performance.now();
      onDone();
      keep(batchId, picture, condition).catch(tellFailure);
    },
  };
}
