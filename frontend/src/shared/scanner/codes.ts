/** What our labels and cards say: a kind, a colon, and what of that kind. */
const CODE_KINDS = ["LOC", "BAT", "TRAY", "CMD"] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

/** A card: a batch by its number, a tray of the station, a command of it. */
export type ScannedCard = { kind: Exclude<CodeKind, "LOC">; code: string };

/** The text of a location's label. */
export const labelText = (code: string): string => `LOC:${code}`;

/** The location's code in what was read, or null where it is no label of ours. */
export function locationCode(text: string): string | null {
  return codeOf(text, "LOC");
}

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

/** Whether this may become a label's or a card's text when more of it comes. */
export function mayBecomeLabel(text: string): boolean {
  const upper = text.toUpperCase();
  return CODE_KINDS.some((kind) => {
    const prefix = `${kind}:`;
    return upper.length <= prefix.length ? prefix.startsWith(upper) : upper.startsWith(prefix);
  });
}
