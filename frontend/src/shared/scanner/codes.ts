/** The texts of our labels and cards: a kind, a colon, and a value. */
const CODE_KINDS = ["LOC", "BAT", "TRAY", "CMD"] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

/** A card: a batch by its number, a tray of the station, or a command. */
export type ScannedCard = { kind: Exclude<CodeKind, "LOC">; code: string };

/** The text of a location's label. */
export const labelText = (code: string): string => `LOC:${code}`;

/** The location's code in a scanned text; null if it is not one of our labels. */
export function locationCode(text: string): string | null {
  return codeOf(text, "LOC");
}

/** The code that was scanned or typed, without the kind of a label. */
export const codeText = (text: string): string => locationCode(text) ?? text.trim();

/** Whether a scanned or typed text names a bin, whatever its case. */
export const namesBin = (text: string, { name }: { name: string }): boolean =>
  name !== "" && name.toLocaleLowerCase() === codeText(text).toLocaleLowerCase();

/** The card that was read, or null. */
export function cardOf(text: string): ScannedCard | null {
  for (const kind of ["BAT", "TRAY", "CMD"] as const) {
    const code = codeOf(text, kind);
    if (code) return { kind, code: code.toUpperCase() };
  }
  return null;
}

function codeOf(text: string, kind: CodeKind): string | null {
  const prefix = `${kind}:`;
  const trimmed = text.trim();
  if (trimmed.slice(0, prefix.length).toUpperCase() !== prefix) return null;
  return trimmed.slice(prefix.length).trim() || null;
}

/** Whether this may be the beginning of a label's or a card's text. */
export function mayBecomeLabel(text: string): boolean {
  const upper = text.toUpperCase();
  return CODE_KINDS.some((kind) => {
    const prefix = `${kind}:`;
    return upper.length <= prefix.length ? prefix.startsWith(upper) : upper.startsWith(prefix);
  });
}
