/** What our labels say: `LOC:` and the location's code. */
const PREFIX = "LOC:";

/** The text of a location's label. */
export const labelText = (code: string): string => `${PREFIX}${code}`;

/** The location's code in what was read, or null where it is no label of ours. */
export function locationCode(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.slice(0, PREFIX.length).toUpperCase() !== PREFIX) return null;
  return trimmed.slice(PREFIX.length).trim() || null;
}

/** Whether this may become a label's text when more of it comes. */
export function mayBecomeLabel(text: string): boolean {
  return text.length <= PREFIX.length
    ? PREFIX.startsWith(text.toUpperCase())
    : text.slice(0, PREFIX.length).toUpperCase() === PREFIX;
}
