/** The marketplace's colour 0, for items without a colour: sets, books, boxes. */
const NO_COLOR = "(Not Applicable)";

/** A colour's name for people; empty for items without a colour. */
export function colorWords(name: string | null | undefined): string {
  return !name || name === NO_COLOR ? "" : name;
}
