/** The marketplace's colour 0, of what comes in none: sets, books, boxes. */
const NO_COLOR = "(Not Applicable)";

/** A colour's name as a person reads it; empty for what has no colour. */
export function colorWords(name: string | null | undefined): string {
  return !name || name === NO_COLOR ? "" : name;
}
