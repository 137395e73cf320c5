/**
 * Detects when a part is still on its background. A frame that differs from the background and
 * does not change for STILL_MS is steady; a frame that does not differ is empty; all other frames
 * show movement. Works on small frames, so that one takes about a millisecond.
 */

/** Frames are reduced to this size before they are compared. */
export const FRAME = { width: 80, height: 60 } as const;

export const STILL_MS = 300;

/** From this difference (sum over red, green, blue) a pixel counts as different. */
const PIXEL_DIFFERS = 60;
/** Camera noise changes a few pixels of each frame. */
const MOVES_FROM = 0.004;
/** The smallest part covers about this share of the picture. */
const LIES_FROM = 0.006;
/** How quickly the background follows the daylight while it is empty. */
const FOLLOW = 0.05;

export type Look = "empty" | "moving" | "steady";

export class SteadyWatch {
  private ground: Float32Array | null = null;
  private before: Uint8ClampedArray | null = null;
  private stillSince = 0;

  /** The state that this frame (RGBA, FRAME in size) shows at `at`, in milliseconds. */
  feed(frame: Uint8ClampedArray, at: number): Look {
    const { before } = this;
    this.before = frame;
    if (!before || changedShare(frame, before) >= MOVES_FROM) {
      this.stillSince = at;
      return this.ground ? "moving" : "empty";
    }
    if (at - this.stillSince < STILL_MS) return this.ground ? "moving" : "empty";
    // The first still picture becomes the background: a person begins with an empty sheet.
    this.ground ??= Float32Array.from(frame);
    if (changedShare(frame, this.ground) >= LIES_FROM) return "steady";
    this.followGround(frame);
    return "empty";
  }

  /** Takes the present picture as the background. */
  learnGround(): void {
    this.ground = this.before ? Float32Array.from(this.before) : null;
  }

  private followGround(frame: Uint8ClampedArray): void {
    const { ground } = this;
    if (!ground) return;
    for (let at = 0; at < ground.length; at += 1) {
      ground[at] = (ground[at] ?? 0) * (1 - FOLLOW) + (frame[at] ?? 0) * FOLLOW;
    }
  }
}

/** The share of pixels with a visible difference. */
function changedShare(frame: Uint8ClampedArray, other: ArrayLike<number>): number {
  let changed = 0;
  for (let at = 0; at < frame.length; at += 4) {
    const apart =
      Math.abs((frame[at] ?? 0) - (other[at] ?? 0)) +
      Math.abs((frame[at + 1] ?? 0) - (other[at + 1] ?? 0)) +
      Math.abs((frame[at + 2] ?? 0) - (other[at + 2] ?? 0));
    if (apart > PIXEL_DIFFERS) changed += 1;
  }
  return changed / (frame.length / 4);
}

/** What a change of state means for the capture. */
export type Happening = "capture" | "lifted" | null;

/** One capture for each part that is put down; the next one is possible once it was lifted. */
export class Presence {
  private captured = false;
  private lies = false;

  note(look: Look): Happening {
    if (look === "steady") {
      this.lies = true;
      if (this.captured) return null;
      this.captured = true;
      return "capture";
    }
    if (look === "moving") return null;
    // No part was seen before, so none was lifted: the object may belong to the background.
    const lifted = this.captured && this.lies;
    this.captured = false;
    this.lies = false;
    return lifted ? "lifted" : null;
  }

  /** A capture by hand counts as the capture of the part under the camera. */
  byHand(): void {
    this.captured = true;
  }
}
