/** How large the letters of a bin can be: they are read from a metre away. */

/** No smaller than this, whatever the name; larger for who reads with larger letters. */
const SMALLEST = "max(96px, 6rem)";
const LARGEST = "18rem";

/** Width of a bold letter against its height; digits and capitals are the wide ones. */
const LETTER = 0.66;

/** The size that puts the name on one line of its box (100cqi wide), within the two bounds. */
export function binLetterSize(name: string): string {
  const share = 100 / (Math.max(2, name.length) * LETTER);
  return `clamp(${SMALLEST}, ${share.toFixed(1)}cqi, ${LARGEST})`;
}
