/** Of the longer side of a piece, what is shown around it. */
const AROUND = 1.3;

/**
 * How an image lies in a square box that shows one piece of it: as large as fits, and never past the
 * picture's edge. Without an outline the box shows the picture's middle.
 */
export function squareAround(
  outline: readonly number[] | null,
  width: number,
  height: number,
): { width: string; left: string; top: string } {
  const shorter = Math.min(width, height) || 1;
  const [left = 0, top = 0, wide = 1, high = 1] = outline ?? [];
  const side = Math.min(shorter, Math.max(wide * width, high * height) * AROUND);
  const begin = (from: number, share: number, whole: number) =>
    Math.max(0, Math.min((from + share / 2) * whole - side / 2, whole - side));
  const percent = (pixels: number) => `${(pixels / side) * 100}%`;
  return {
    width: percent(width || side),
    left: percent(-begin(left, wide, width)),
    top: percent(-begin(top, high, height)),
  };
}
