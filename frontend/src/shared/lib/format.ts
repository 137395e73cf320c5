/** Formats numbers, money, weights and times for people. Input is as the API sends it. */
import { numberFormat } from "./numbers";

/** The person's choice for weights ("g" or "oz") and times (a zone, or blank for the browser's). */
export type Formats = { units?: unknown; time_zone?: unknown };

/** The time zone of days where the profile names none. */
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

const GRAMS_IN_OUNCE = 28.349523125;
const OUNCES_IN_POUND = 16;

let inOunces = false;
let date = dateFormat("");
let dateTime = dateTimeFormat("");
let clock = clockFormat("");

function dateFormat(timeZone: string) {
  return new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeZone: timeZone || undefined,
  });
}

function dateTimeFormat(timeZone: string) {
  return new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: timeZone || undefined,
  });
}

function clockFormat(timeZone: string) {
  return new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: timeZone || undefined });
}

/** Sets the formats of the person who is signed in; null restores the defaults. */
export function setFormats(chosen: Formats | null): void {
  inOunces = chosen?.units === "oz";
  const zone = typeof chosen?.time_zone === "string" ? chosen.time_zone : "";
  try {
    [date, dateTime, clock] = [dateFormat(zone), dateTimeFormat(zone), clockFormat(zone)];
  } catch {
    // This browser does not know the zone: use the browser's own.
    [date, dateTime, clock] = [dateFormat(""), dateTimeFormat(""), clockFormat("")];
  }
}

export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : formatNumber(value, 0);
}

/** A number with at most this many decimal places. */
export const formatNumber = (value: number, places: number): string =>
  numberFormat({ maximumFractionDigits: places }).format(value);

/** "1 lot", "1,284 lots", "2 batches". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

/** "+1,200" or "−3". */
export const signed = (delta: number): string =>
  delta > 0 ? `+${formatCount(delta)}` : `−${formatCount(-delta)}`;

function moneyFormat(currency: string, places: number): Intl.NumberFormat {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: places };
  // A file may name only the sign of several currencies, such as "$".
  const isCode = currency.length === 3;
  return numberFormat({ ...(isCode && { style: "currency", currency }), ...digits });
}

/**
 * A decimal string of the API with its currency: two places, up to four where they are not zero.
 */
export function formatMoney(amount: string | number | null | undefined, currency = ""): string {
  if (amount === null || amount === undefined || amount === "") return "–";
  return moneyFormat(currency, 4).format(Number(amount));
}

/**
 * A price that is an average or a proposal: two places, and two significant digits where it is
 * smaller: 0.12, 0.031, 0.0049.
 */
export function formatFigure(amount: string | number | null | undefined, currency = ""): string {
  if (amount === null || amount === undefined || amount === "") return "–";
  const value = Math.abs(Number(amount));
  return moneyFormat(currency, value < 0.01 ? 4 : value < 0.1 ? 3 : 2).format(Number(amount));
}

/** An amount that is paid: always with two places. */
export const formatTotal = (amount: string | number, currency: string): string =>
  moneyFormat(currency, 2).format(Number(amount));

const currencyNames = new Intl.DisplayNames("en", { type: "currency" });

/** "EUR – Euro" */
export const currencyName = (code: string): string => `${code} – ${currencyNames.of(code) ?? code}`;

/** A weight with as many places as a pair of scales shows: 2.32, 36.1, 361. */
const weighed = (value: number): string =>
  formatNumber(value, value < 10 ? 2 : value < 100 ? 1 : 0);

/** Grams as grams, from a kilogram on as kilograms; or as ounces, from a pound on as pounds. */
export function formatWeight(grams: string | number | null | undefined): string {
  if (grams === null || grams === undefined || grams === "") return "–";
  const value = Number(grams);
  if (inOunces) {
    const ounces = value / GRAMS_IN_OUNCE;
    return ounces >= OUNCES_IN_POUND
      ? `${weighed(ounces / OUNCES_IN_POUND)} lb`
      : `${weighed(ounces)} oz`;
  }
  return value >= 1000 ? `${weighed(value / 1000)} kg` : `${weighed(value)} g`;
}

export function formatDate(iso: string | null | undefined): string {
  return iso ? date.format(new Date(iso)) : "–";
}

export function formatDateTime(iso: string | null | undefined): string {
  return iso ? dateTime.format(new Date(iso)) : "–";
}

/** "12:40", or with its day where that is not the day of `now` (milliseconds). */
export const formatClock = (at: number, now: number): string =>
  date.format(at) === date.format(now) ? clock.format(at) : dateTime.format(at);

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });

/** A day such as 2026-11-25, which is the same day in every zone. */
export const formatDay = (iso: string): string => day.format(new Date(iso));

const WEEK_MS = 604_800_000;

/** "3 hours ago" within a week of `now` (milliseconds), else the day. */
export const formatWhen = (iso: string, now: number): string =>
  now - Date.parse(iso) < WEEK_MS ? formatAgo(iso, now) : formatDate(iso);

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const STEPS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** "3 hours ago", as seen from `now` (milliseconds). */
export function formatAgo(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  return step ? relative.format(Math.round(seconds / step[1]), step[0]) : "just now";
}
