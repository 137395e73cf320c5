/**
 * When to look: a part lies still on its ground. A frame that differs from the ground and then
 * stays as it is for STILL_MS is steady; one that does not differ is empty; between the two
 * something moves. Works on small frames, so that it costs a millisecond.
 */

/** What the camera looks at is reduced to this before it is compared. */
export const FRAME = { width: 80, height: 60 } as const;

export const STILL_MS = 300;

/** A pixel differs from here on (sum over red, green, blue). */
const PIXEL_DIFFERS = 60;
/** Camera noise changes a few pixels of each frame. */
const MOVES_FROM = 0.004;
/** The smallest part covers about this share of the picture. */
const LIES_FROM = 0.006;
/** How quickly the ground follows the daylight while nothing lies on it. */
const FOLLOW = 0.05;

export type Look = "empty" | "moving" | "steady";

export class SteadyWatch {
  private ground: Float32Array | null = null;
  private before: Uint8ClampedArray | null = null;
  private stillSince = 0;

  /** What this frame (RGBA, FRAME in size) means at `at`, in milliseconds. */
  feed(frame: Uint8ClampedArray, at: number): Look {
    const { before } = this;
    this.before = frame;
    if (!before || changedShare(frame, before) >= MOVES_FROM) {
      this.stillSince = at;
      return this.ground ? "moving" : "empty";
    }
    if (at - this.stillSince < STILL_MS) return this.ground ? "moving" : "empty";
    // The first thing that stays still is the ground: one begins with an empty sheet.
    this.ground ??= Float32Array.from(frame);
    if (changedShare(frame, this.ground) >= LIES_FROM) return "steady";
    this.followGround(frame);
    return "empty";
  }

  /** What lies there now is taken for the ground. */
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

/** The share of pixels that differ visibly. */
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

/** What a change of looks means to whoever waits for parts. */
export type Happening = "capture" | "lifted" | null;

/** One capture for each part that is laid down; lifting it makes ready for the next. */
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
    // What was never seen to lie there was not lifted: it may be part of the ground.
    const lifted = this.captured && this.lies;
    this.captured = false;
    this.lies = false;
    return lifted ? "lifted" : null;
  }

  /** A capture by hand counts for the part that lies there. */
  byHand(): void {
    this.captured = true;
  }
}
