/** The size of a bin's letters: they can be read from a metre away. */

/** The smallest size, whatever the name; larger for people who have set larger letters. */
const SMALLEST = "max(96px, 6rem)";
const LARGEST = "18rem";

/** The width of a bold letter relative to its height; digits and capitals are the widest. */
const LETTER = 0.66;

/** The size at which the name fits on one line of its box (100cqi wide), within both limits. */
export function binLetterSize(name: string): string {
  const share = 100 / (Math.max(2, name.length) * LETTER);
  return `clamp(${SMALLEST}, ${share.toFixed(1)}cqi, ${LARGEST})`;
}
