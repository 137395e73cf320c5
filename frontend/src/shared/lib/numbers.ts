/**
 * Numbers as this person reads and writes them: one formatter and one parser, by the browser's
 * language. The wire always has plain decimals ("1250.5").
 */

type Signs = { decimal: string; group: string };

const LATIN = { numberingSystem: "latn" } as const;
const GROUP_SIGNS = /[.,'’\s]/;
const GROUP_SIGNS_ALL = /[.,'’\s]/g;

let language = browserLanguage();
let signs = signsOf(language);
const formats = new Map<string, Intl.NumberFormat>();

function browserLanguage(): string {
  return typeof navigator === "undefined" ? "en" : navigator.language || "en";
}

function signsOf(tag: string): Signs {
  const parts = new Intl.NumberFormat(tag, { ...LATIN, useGrouping: "always" }).formatToParts(
    12345.6,
  );
  const sign = (type: string) => parts.find((part) => part.type === type)?.value;
  return { decimal: sign("decimal") ?? ".", group: sign("group") ?? "" };
}

/** From now on numbers are written as in this language; null: the browser's. */
export function setNumberLanguage(tag: string | null): void {
  language = tag ?? browserLanguage();
  signs = signsOf(language);
  formats.clear();
}

/** A formatter in this person's language; made once, as making one is slow. */
export function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language, { ...LATIN, ...options });
    formats.set(key, format);
  }
  return format;
}

/** A decimal of the wire as text to edit: no grouping, no zeros at its end; blank for null. */
export function numberText(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === "") return "";
  return plain(String(value)).replace(".", signs.decimal);
}

/** A number as the wire carries it, rounded to so many places. */
export const decimalText = (value: number, places: number): string => value.toFixed(places);

/** A number that was typed, as a plain decimal; or why it is none, and what was expected. */
export type Reading = { value: string } | { problem: string };

/**
 * Reads a number as this person's language writes it, grouped or not: "1,250.5", "1250.5", ".5".
 * Another language's signs count where they can mean one number only ("0,12"); else it is refused.
 */
export function readNumber(text: string): Reading {
  const typed = text.trim().replace(/^[−–]/, "-");
  const [, sign = "", body = ""] = /^([+-]?)(.*)$/s.exec(typed) ?? [];
  // Another language's decimal sign, where nothing else can be meant: "0,12".
  const [, left = "", right] = /^(\d*)[.,](\d+)$/.exec(body) ?? [];
  const isClear = right !== undefined && (right.length !== 3 || /^0*$/.test(left));
  const mark = isClear ? body.charAt(left.length) : signs.decimal;
  const at = body.lastIndexOf(mark);
  const whole = at < 0 ? body : body.slice(0, at);
  const part = at < 0 ? "" : body.slice(at + mark.length);
  const digits = ungrouped(whole);
  const isNumber = digits !== null && /^\d*$/.test(part) && (digits !== "" || part !== "");
  if (!isNumber) {
    const problem = /^[\d.,'’\s]+$/.test(body) ? expected() : "A number.";
    return { problem };
  }
  const size = (digits || "0").replace(/^0+(?=\d)/, "") + (part && `.${part}`);
  return { value: sign === "-" && Number(size) !== 0 ? `-${size}` : size };
}

/** What was expected where signs are in the wrong places. */
function expected(): string {
  const sample = numberFormat({ minimumFractionDigits: 2, useGrouping: "always" }).format(1250.5);
  return `A number such as ${sample}: “${signs.decimal}” before decimals.`;
}

/** The digits of a whole number; null where what is between them is not its grouping. */
function ungrouped(text: string): string | null {
  if (/^\d*$/.test(text)) return text;
  const groups = text.split(GROUP_SIGNS);
  const digits = groups.join("");
  if (!/^[1-9]\d*$/.test(digits)) return null;
  const used = new Set(text.match(GROUP_SIGNS_ALL));
  const isSpace = [...used].every((one) => /[\s'’]/.test(one));
  if (used.size !== 1 || !(used.has(signs.group) || isSpace)) return null;
  const right = numberFormat({ useGrouping: "always" }).formatToParts(BigInt(digits));
  const rightGroups = right.filter(({ type }) => type === "integer").map(({ value }) => value);
  return rightGroups.join(" ") === groups.join(" ") ? digits : null;
}

/** Without zeros that say nothing: "7.50" is "7.5", "-0.0" is "0". */
function plain(decimal: string): string {
  const [, sign = "", whole = "0", part = ""] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(decimal) ?? [];
  const left = whole.replace(/^0+(?=\d)/, "") || "0";
  const right = part.replace(/0+$/, "");
  const size = right ? `${left}.${right}` : left;
  return size === "0" ? "0" : sign + size;
}
