/**
 * Reads and writes numbers in the person's language: one formatter and one parser. The API always
 * uses plain decimals ("1250.5").
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

/** Sets the language of numbers; null uses the browser's. */
export function setNumberLanguage(tag: string | null): void {
  language = tag ?? browserLanguage();
  signs = signsOf(language);
  formats.clear();
}

/** A formatter in this person's language. It is cached, because creating one is slow. */
export function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language, { ...LATIN, ...options });
    formats.set(key, format);
  }
  return format;
}

/** A decimal of the API as text to edit: no grouping, no trailing zeros; blank for null. */
export function numberText(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === "") return "";
  return plain(String(value)).replace(".", signs.decimal);
}

/** A number as the API takes it, rounded to this many places. */
export const decimalText = (value: number, places: number): string => value.toFixed(places);

/**
 * A typed number as a plain decimal, or the reason why it is not a number with the expected format.
 */
export type Reading = { value: string } | { problem: string };

/**
 * Reads a number in this person's language, grouped or not: "1,250.5", "1250.5", ".5". A number of
 * another language is accepted only if it is unambiguous ("0,12").
 */
export function readNumber(text: string): Reading {
  const typed = text.trim().replace(/^[−–]/, "-");
  const [, sign = "", body = ""] = /^([+-]?)(.*)$/s.exec(typed) ?? [];
  // Another language's decimal point, where the number is unambiguous: "0,12".
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

/** The expected format, for numbers with misplaced separators. */
function expected(): string {
  const sample = numberFormat({ minimumFractionDigits: 2, useGrouping: "always" }).format(1250.5);
  return `A number such as ${sample}: “${signs.decimal}” before decimals.`;
}

/** The digits of a whole number; null where its separators are not valid grouping. */
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

/** Without redundant zeros: "7.50" is "7.5", "-0.0" is "0". */
function plain(decimal: string): string {
  const [, sign = "", whole = "0", part = ""] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(decimal) ?? [];
  const left = whole.replace(/^0+(?=\d)/, "") || "0";
  const right = part.replace(/0+$/, "");
  const size = right ? `${left}.${right}` : left;
  return size === "0" ? "0" : sign + size;
}
