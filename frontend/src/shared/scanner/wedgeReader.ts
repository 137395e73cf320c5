/**
 * Tells a wedge scanner from a person: it types `LOC:…`, `CMD:…` and Enter faster than hands can. Pure: it
 * is fed with keys and their times, and keeps nothing but the keys of what may become a scan.
 */
import { cardOf, locationCode, mayBecomeLabel, type ScannedCard } from "./codes";

export type Key = {
  key: string;
  /** The place on the keyboard, blank where the device does not tell. */
  code: string;
  shift: boolean;
  /** Milliseconds, from any beginning. */
  at: number;
};

/**
 * `other`: no part of a scan, and what came before it was none either. `part`: it may become
 * one. `{scan}`: the code of the location; `{card}`: what another of our cards says.
 */
export type Step = "other" | "part" | { scan: string } | { card: ScannedCard };

/** No two keys of a scanner are further apart, whatever the computer was busy with. */
export const LONGEST_GAP = 60;
/** Milliseconds from key to key over a whole scan; people need more than twice that. */
const MEAN_GAP = 35;
const LONGEST_TEXT = 120;

export class WedgeReader {
  private keys: Key[] = [];

  /** Whether the last key fed began what may become a scan. */
  get hasJustBegun(): boolean {
    return this.keys.length === 1;
  }

  forget(): void {
    this.keys = [];
  }

  feed(key: Key): Step {
    const last = this.keys.at(-1);
    if (last && key.at - last.at > LONGEST_GAP) this.forget();
    if (key.key === "Enter" || key.key === "Tab") return this.end();
    if (key.key.length !== 1) {
      this.forget();
      return "other";
    }
    const begun = this.keys.length > 0;
    this.keys.push(key);
    if (this.isPossible()) return "part";
    // What came before was somebody typing; this key may still begin a scan.
    this.keys = begun ? [key] : [];
    if (!begun || !this.isPossible()) {
      this.forget();
      return "other";
    }
    return "part";
  }

  private isPossible(): boolean {
    return this.keys.length <= LONGEST_TEXT && readings(this.keys).some(mayBecomeLabel);
  }

  private end(): Step {
    const { keys } = this;
    this.forget();
    const [first, last] = [keys.at(0), keys.at(-1)];
    if (!first || !last || last.at - first.at > MEAN_GAP * (keys.length - 1)) return "other";
    for (const text of readings(keys)) {
      const code = locationCode(text);
      if (code) return { scan: code };
      const card = cardOf(text);
      if (card) return { card };
    }
    return "other";
  }
}

/** What was typed, and what it would be had scanner and computer agreed on the US layout. */
function readings(keys: readonly Key[]): string[] {
  const typed = keys.map(({ key }) => key).join("");
  const meant = keys.map(onUsLayout);
  return meant.includes(null) ? [typed] : [typed, meant.join("")];
}

const SHIFTED_DIGITS = ")!@#$%^&*(";
const MARKS: Record<string, string> = {
  Minus: "-_",
  Equal: "=+",
  BracketLeft: "[{",
  BracketRight: "]}",
  Backslash: "\\|",
  Semicolon: ";:",
  Quote: "'\"",
  Comma: ",<",
  Period: ".>",
  Slash: "/?",
  Backquote: "`~",
  Space: "  ",
};

function onUsLayout({ code, shift }: Key): string | null {
  if (/^Key[A-Z]$/.test(code)) return shift ? code.slice(3) : code.slice(3).toLowerCase();
  if (/^Digit\d$/.test(code)) {
    const digit = code.slice(5);
    return shift ? (SHIFTED_DIGITS[Number(digit)] ?? null) : digit;
  }
  return MARKS[code]?.[shift ? 1 : 0] ?? null;
}
