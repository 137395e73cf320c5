/**
 * Distinguishes a wedge scanner from a person: it types `LOC:…`, `CMD:…` and Enter faster than
 * people can. It gets keys with their times and stores only the keys of a possible scan.
 */
import { cardOf, locationCode, mayBecomeLabel, type ScannedCard } from "./codes";

export type Key = {
  key: string;
  /** The key's place on the keyboard, blank where the device does not report it. */
  code: string;
  shift: boolean;
  /** Milliseconds, from any starting point. */
  at: number;
};

/**
 * `other`: neither this key nor those before it are part of a scan. `part`: it may be part of one.
 * `{scan}`: the code of the location. `{card}`: the text of another of our cards.
 */
export type Step = "other" | "part" | { scan: string } | { card: ScannedCard };

/** The longest time between two keys of a scanner, however busy the computer is. */
export const LONGEST_GAP = 60;
/** Mean milliseconds between the keys of a scan; people need more than twice that. */
const MEAN_GAP = 35;
const LONGEST_TEXT = 120;

export class WedgeReader {
  private keys: Key[] = [];

  /** Whether the last key may be the first of a scan. */
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
    // A person typed the earlier keys; this key may still begin a scan.
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

/** The text as typed, and as it would be if scanner and computer both used the US layout. */
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
